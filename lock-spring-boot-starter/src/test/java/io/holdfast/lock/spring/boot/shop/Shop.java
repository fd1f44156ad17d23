/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Sells what is in stock. Nothing in it is about locks but annotations. */
@SpringBootApplication
@EnableScheduling
public class Shop {}
