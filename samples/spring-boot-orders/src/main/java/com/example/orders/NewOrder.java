/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import java.util.UUID;

/**
 * What a customer wants.
 *
 * @param id chosen by the customer: the same order may be sent again, and counts once
 * @param item what is ordered
 * @param quantity how many
 */
public record NewOrder(UUID id, String item, int quantity) {}
