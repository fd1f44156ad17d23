/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.tck.MutantsTest;
import org.junit.jupiter.api.Tag;

/** Faulty variants of the statements, and of what sessions and transactions bring with them. */
@Tag("soak")
class PostgresMutantsTest extends MutantsTest {}
