/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** A client's leases at etcd, and for how long etcd is known to keep them. */
@NullMarked
package io.holdfast.lock.etcd.lease;

import org.jspecify.annotations.NullMarked;
