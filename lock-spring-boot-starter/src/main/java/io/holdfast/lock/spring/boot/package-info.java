/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Locks in Spring Boot applications: a {@code LockClient}, {@code Scenarios}, methods that are
 * {@code @Locked}, leaders, health and an endpoint, from {@code application.yml} or over the
 * connections that the application has.
 */
@NullMarked
package io.holdfast.lock.spring.boot;

import org.jspecify.annotations.NullMarked;
