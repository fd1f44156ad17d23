/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import java.time.Duration;
import java.util.Optional;

/**
 * A figure that a rule has come by.
 *
 * @param bound what took its time
 * @param took how long
 * @param promised the longest that it may take, but for what scheduling adds; empty if it takes as
 *     long as the servers do
 */
public record Measured(Bound bound, Duration took, Optional<Duration> promised) {}
