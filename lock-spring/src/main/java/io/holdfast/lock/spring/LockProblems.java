/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.StaleTokenException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Answers for a web application (MVC or WebFlux) whose request did not get its lock, as problem
 * details: busy is 409, a lock server that cannot be reached 503, and so is a lock that was lost
 * while the request was at work. The answer names no lock and no server; the log does. A handler of
 * the application's own for these exceptions goes first.
 */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE - 100)
public class LockProblems {

  private static final Logger LOG = LoggerFactory.getLogger(LockProblems.class);
  private static final String RETRY_SECONDS = "1";

  /** To be registered as a bean. */
  public LockProblems() {}

  /**
   * Somebody else has the lock, or had it meanwhile.
   *
   * @param busy what was thrown
   * @return 409
   */
  @ExceptionHandler({LockTimeoutException.class, StaleTokenException.class})
  public ResponseEntity<ProblemDetail> busy(LockException busy) {
    LOG.debug("Answered with 409: {}", busy.getMessage());
    return answer(
        HttpStatus.CONFLICT, "Busy", "Another request is at work on the same. Try again later.");
  }

  /**
   * The lock cannot be had now.
   *
   * @param unavailable what was thrown
   * @return 503
   */
  @ExceptionHandler({LockUnavailableException.class, LockClosedException.class})
  public ResponseEntity<ProblemDetail> unavailable(LockException unavailable) {
    LOG.warn("Answered with 503: {}", unavailable.getMessage());
    return answer(
        HttpStatus.SERVICE_UNAVAILABLE,
        "Locks unavailable",
        "A lock that the request needs is not available. See what was done, and try again later.");
  }

  /**
   * The lock was lost while the request was at work.
   *
   * @param lost what was thrown
   * @return 503
   */
  @ExceptionHandler(LockLostException.class)
  public ResponseEntity<ProblemDetail> lost(LockException lost) {
    LOG.warn("Answered with 503: {}", lost.getMessage());
    return answer(
        HttpStatus.SERVICE_UNAVAILABLE,
        "Lock lost",
        "The request lost its lock before it was complete. See what was done, and try again.");
  }

  private static ResponseEntity<ProblemDetail> answer(
      HttpStatus status, String title, String text) {
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, text);
    problem.setTitle(title);
    return ResponseEntity.status(status).header("Retry-After", RETRY_SECONDS).body(problem);
  }
}
