/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Spring Integration's lock registry on any backend: {@link
 * io.holdfast.lock.spring.integration.HoldfastLockRegistry}.
 */
@NullMarked
package io.holdfast.lock.spring.integration;

import org.jspecify.annotations.NullMarked;
