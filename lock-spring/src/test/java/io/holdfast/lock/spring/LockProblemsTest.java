/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.StaleTokenException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

/** Tests which failure is answered how, as Spring chooses the handler. */
class LockProblemsTest {

  private final ExceptionHandlerMethodResolver handlers =
      new ExceptionHandlerMethodResolver(LockProblems.class);

  @Test
  void eachFailureHasItsAnswer() throws Exception {
    Map<LockException, String> answers =
        Map.of(
            new LockTimeoutException("order:7"), "409 Busy",
            new StaleTokenException("order:7", 1, "order:7"), "409 Busy",
            new LockUnavailableException("order:7"), "503 Locks unavailable",
            new LockClosedException("order:7"), "503 Locks unavailable",
            new LockLostException("order:7"), "503 Lock lost");
    for (Map.Entry<LockException, String> answer : answers.entrySet()) {
      Method handler = Objects.requireNonNull(handlers.resolveMethod(answer.getKey()));
      ResponseEntity<?> response =
          (ResponseEntity<?>) handler.invoke(new LockProblems(), answer.getKey());
      ProblemDetail body = (ProblemDetail) Objects.requireNonNull(response.getBody());
      assertEquals(answer.getValue(), response.getStatusCode().value() + " " + body.getTitle());
      assertEquals(response.getStatusCode().value(), body.getStatus());
      assertFalse(String.valueOf(body.getDetail()).contains("order:7"), "it names no lock");
    }
  }

  /** It is not for the client of a request, who can do nothing about it. */
  @Test
  void aMistakeOfTheApplicationHasNone() {
    assertNull(handlers.resolveMethod(new LockConfigurationException("order:7")));
  }
}
