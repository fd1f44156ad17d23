/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Meters of a lock client for Micrometer, and observations of work that is done under a lock. The
 * meters are listed in {@code docs/monitoring.md}. Works with Micrometer 1.15 and newer.
 */
@NullMarked
package io.holdfast.lock.micrometer;

import org.jspecify.annotations.NullMarked;
