/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.nemesis.NemesisTest;

class PostgresTableNemesisTest extends NemesisTest {

  @Override
  protected Fixture open() {
    return new TableFixture(PostgresFixture.FEW_PLACES);
  }
}
