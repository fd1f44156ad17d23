/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.run;

import io.holdfast.lock.mutants.MutantsTest;

/** Faulty variants of what no rule asks for: there is no command in it. */
class RunMutantsTest extends MutantsTest {}
