/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** Opening a client to ZooKeeper (TLS, host names), and the meaning of its failures. */
@NullMarked
package io.holdfast.lock.zookeeper.client;

import org.jspecify.annotations.NullMarked;
