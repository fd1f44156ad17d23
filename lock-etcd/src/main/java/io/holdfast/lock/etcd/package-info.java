/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Locks on etcd: provider {@code etcd}, or {@link io.holdfast.lock.etcd.EtcdLocks} for a ready gRPC
 * channel.
 */
@NullMarked
package io.holdfast.lock.etcd;

import org.jspecify.annotations.NullMarked;
