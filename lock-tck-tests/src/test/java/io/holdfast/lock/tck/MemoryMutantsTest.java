/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import io.holdfast.lock.mutants.MutantsTest;
import org.junit.jupiter.api.Tag;

/** The engine's and the memory backend's faulty variants. */
@Tag("long")
class MemoryMutantsTest extends MutantsTest {}
