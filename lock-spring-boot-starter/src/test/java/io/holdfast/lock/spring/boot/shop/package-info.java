/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** An application that locks, run twice by the tests, with each line of Spring Boot. */
@NullMarked
package io.holdfast.lock.spring.boot.shop;

import org.jspecify.annotations.NullMarked;
