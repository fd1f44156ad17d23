/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** The queue of a name: its nodes, how their names are written, and who of them is granted. */
@NullMarked
package io.holdfast.lock.zookeeper.queue;

import org.jspecify.annotations.NullMarked;
