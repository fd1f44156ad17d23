/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.tck.NamedFault;
import java.time.Duration;
import java.util.List;

/**
 * What one fault at a time is done to.
 *
 * @param name in the history
 * @param calm for how long at the most it is left alone between two faults
 * @param faults what can be done to it; one that is named twice is done twice as often
 */
record Target(String name, Duration calm, List<NamedFault> faults) {}
