/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import io.holdfast.lock.tck.MutantsTest;
import org.junit.jupiter.api.Tag;

/** Faulty variants of what a queue at the server and a session bring with them. */
@Tag("soak")
class ZooKeeperMutantsTest extends MutantsTest {}
