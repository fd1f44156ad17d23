/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** Inspection of locks, and health checks of the servers. */
@NullMarked
package io.holdfast.lock.zookeeper.admin;

import org.jspecify.annotations.NullMarked;
