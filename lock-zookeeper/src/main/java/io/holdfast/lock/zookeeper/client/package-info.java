/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** What opening a client to ZooKeeper needs (TLS, host names), and what its failures mean. */
@NullMarked
package io.holdfast.lock.zookeeper.client;

import org.jspecify.annotations.NullMarked;
