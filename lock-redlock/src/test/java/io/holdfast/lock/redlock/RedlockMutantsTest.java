/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.mutants.MutantsTest;

/** Faulty variants of how votes are counted, on real servers. */
class RedlockMutantsTest extends MutantsTest {}
