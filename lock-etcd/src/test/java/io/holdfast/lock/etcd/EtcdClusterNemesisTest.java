/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.nemesis.NemesisTest;

class EtcdClusterNemesisTest extends NemesisTest {

  @Override
  protected Fixture open() {
    return new EtcdClusterFixture();
  }
}
