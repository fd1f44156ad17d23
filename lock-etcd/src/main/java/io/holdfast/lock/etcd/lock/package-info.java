/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** The algorithm: how a claim joins the queue of a lock, waits, holds, and leaves. */
@NullMarked
package io.holdfast.lock.etcd.lock;

import org.jspecify.annotations.NullMarked;
