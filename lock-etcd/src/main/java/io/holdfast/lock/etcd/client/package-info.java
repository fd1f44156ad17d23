/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** How etcd is reached: members, requests, streams of watches and keep-alives, failures. */
@NullMarked
package io.holdfast.lock.etcd.client;

import org.jspecify.annotations.NullMarked;
