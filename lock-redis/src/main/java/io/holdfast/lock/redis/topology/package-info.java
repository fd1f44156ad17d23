/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** Where locks are: at one server, or at those of a cluster, each at the one that has its slot. */
@NullMarked
package io.holdfast.lock.redis.topology;

import org.jspecify.annotations.NullMarked;
