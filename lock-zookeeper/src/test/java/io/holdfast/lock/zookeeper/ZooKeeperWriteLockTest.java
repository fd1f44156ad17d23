/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import io.holdfast.lock.Share;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.WriteLockTest;

class ZooKeeperWriteLockTest extends WriteLockTest {

  @Override
  protected Fixture open() {
    return new ZooKeeperFixture() {

      @Override
      public Share share() {
        return Share.WRITE;
      }
    };
  }
}
