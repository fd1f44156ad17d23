/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/** An order that was not taken. */
public class OrderRefusedException extends ResponseStatusException {

  private static final long serialVersionUID = 1;

  private OrderRefusedException(HttpStatus status, String reason) {
    super(status, reason);
  }

  static OrderRefusedException unknown(String item) {
    return new OrderRefusedException(HttpStatus.NOT_FOUND, "There is no " + item);
  }

  static OrderRefusedException soldOut(String item) {
    return new OrderRefusedException(HttpStatus.UNPROCESSABLE_ENTITY, item + " is sold out");
  }

  static OrderRefusedException overtaken(String item) {
    return new OrderRefusedException(
        HttpStatus.CONFLICT, "Another order of " + item + " came in between. Send it again");
  }
}
