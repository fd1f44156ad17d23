/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** Who holds which lock, and whether the members can keep what is promised. */
@NullMarked
package io.holdfast.lock.etcd.admin;

import org.jspecify.annotations.NullMarked;
