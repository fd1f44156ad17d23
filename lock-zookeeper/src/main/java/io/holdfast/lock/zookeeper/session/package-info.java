/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** The session that a client has now, and the requests that are made through it. */
@NullMarked
package io.holdfast.lock.zookeeper.session;

import org.jspecify.annotations.NullMarked;
