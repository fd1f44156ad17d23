/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** Who holds what, and whether the servers are fit to keep locks. */
@NullMarked
package io.holdfast.lock.zookeeper.admin;

import org.jspecify.annotations.NullMarked;
