/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** The queue of a lock at etcd: its keys, and the requests that change or read it. */
@NullMarked
package io.holdfast.lock.etcd.queue;

import org.jspecify.annotations.NullMarked;
