/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import java.util.UUID;

/**
 * An order that has been taken.
 *
 * @param id of the order
 * @param takenBy the instance that took it
 */
public record Receipt(UUID id, String takenBy) {}
