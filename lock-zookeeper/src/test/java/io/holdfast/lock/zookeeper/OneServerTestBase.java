/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Tests on one server, whose clients end with their test. */
abstract class OneServerTestBase {

  static ZooKeeperHarness harness;

  ZooKeeper administrator;

  @BeforeAll
  static void start() {
    harness = new ZooKeeperHarness();
  }

  @AfterAll
  static void stop() {
    harness.close();
  }

  @BeforeEach
  void look() {
    administrator = harness.administrator();
  }

  @AfterEach
  void leave() {
    harness.closeOpened();
  }
}
