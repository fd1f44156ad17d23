/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import io.holdfast.lock.mutants.MutantsTest;

/** The engine's and the memory backend's faulty variants. */
class MemoryMutantsTest extends MutantsTest {}
