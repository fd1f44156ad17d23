/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.mutants.MutantsTest;
import org.junit.jupiter.api.Tag;

/** Faulty variants of how votes are counted, on real servers. */
@Tag("long")
class RedlockMutantsTest extends MutantsTest {}
