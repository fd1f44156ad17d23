/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Locks in applications of the Spring Framework: {@link io.holdfast.lock.spring.Locked} methods,
 * and {@link io.holdfast.lock.spring.LockTemplate} for code that asks for a lock itself. Both know
 * Spring's transactions.
 */
@NullMarked
package io.holdfast.lock.spring;

import org.jspecify.annotations.NullMarked;
