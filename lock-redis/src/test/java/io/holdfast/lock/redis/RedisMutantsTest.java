/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.tck.MutantsTest;
import org.junit.jupiter.api.Tag;

/** Faulty variants on a real server: of the scripts, and of the engine where links break. */
@Tag("soak")
class RedisMutantsTest extends MutantsTest {}
