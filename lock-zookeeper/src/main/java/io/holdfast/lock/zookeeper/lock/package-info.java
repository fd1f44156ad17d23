/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** One contender: its node in the queue, from the attempt to the release. */
@NullMarked
package io.holdfast.lock.zookeeper.lock;

import org.jspecify.annotations.NullMarked;
