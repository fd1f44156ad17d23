/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** Lists the holders of locks, and checks whether the members can keep the promises. */
@NullMarked
package io.holdfast.lock.etcd.admin;

import org.jspecify.annotations.NullMarked;
