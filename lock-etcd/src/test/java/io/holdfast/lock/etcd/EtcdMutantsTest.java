/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.holdfast.lock.mutants.MutantsTest;
import org.junit.jupiter.api.Tag;

/** Faulty variants of what a queue at the server and its leases bring with them. */
@Tag("long")
class EtcdMutantsTest extends MutantsTest {}
