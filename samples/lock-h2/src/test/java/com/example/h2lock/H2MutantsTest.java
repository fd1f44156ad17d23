/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.h2lock;

import io.holdfast.lock.mutants.MutantsTest;

/** Faulty variants of this backend, each of which a rule of the kit catches. */
class H2MutantsTest extends MutantsTest {}
