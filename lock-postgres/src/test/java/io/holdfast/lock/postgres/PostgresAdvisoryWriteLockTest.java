/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.Share;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.WriteLockTest;

class PostgresAdvisoryWriteLockTest extends WriteLockTest {

  @Override
  protected Fixture open() {
    return new AdvisoryFixture() {

      @Override
      public Share share() {
        return Share.WRITE;
      }
    };
  }
}
