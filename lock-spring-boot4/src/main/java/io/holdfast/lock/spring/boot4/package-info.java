/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** What Spring Boot 4 has in other packages than 3.5. */
@NullMarked
package io.holdfast.lock.spring.boot4;

import org.jspecify.annotations.NullMarked;
