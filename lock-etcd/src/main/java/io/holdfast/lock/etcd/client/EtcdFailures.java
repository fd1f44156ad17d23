/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import io.grpc.Status;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.spi.support.Failures;
import io.holdfast.lock.spi.support.Outage;
import io.holdfast.lock.spi.support.TlsRefusal;
import java.util.Optional;

/** Turns what gRPC and etcd say into what a caller can act on. The only place that does. */
public final class EtcdFailures {

  private EtcdFailures() {}

  static Status status(Throwable failure) {
    return Status.fromThrowable(failure);
  }

  /**
   * The typed form of a failure.
   *
   * @param operation what was tried, with the lock's name, to begin the message
   * @param failure what came of it; etcd's messages hold no secrets of ours
   */
  public static LockException typed(String operation, Throwable failure) {
    Throwable cause = Failures.cause(failure);
    if (cause instanceof LockException known) {
      return known;
    }
    Status status = status(cause);
    return switch (status.getCode()) {
      case PERMISSION_DENIED ->
          new LockRejectedException(
              operation
                  + ": the etcd user has no permission; it needs readwrite on the keys that begin"
                  + " with <root>/<namespace>/",
              cause);
      case UNAUTHENTICATED, INVALID_ARGUMENT, FAILED_PRECONDITION ->
          refused(operation, status, cause);
      case UNIMPLEMENTED ->
          new LockRejectedException(
              operation + ": the server is not an etcd of version 3.4 or newer", cause);
      case DEADLINE_EXCEEDED ->
          new LockUnavailableException(
              operation + ": etcd did not answer within the command time-out", cause);
      default -> unreachable(operation, status, cause);
    };
  }

  private static LockException unreachable(String operation, Status status, Throwable cause) {
    if (TlsRefusal.ofServer(cause)) {
      return new LockRejectedException(
          operation
              + ": the server's certificate is not trusted, or is for another host; set"
              + " 'tls-truststore' to one with the certificate of its authority",
          cause);
    }
    if (TlsRefusal.ofClient(cause)) {
      return new LockRejectedException(
          operation
              + ": the server refuses the client certificate, or there is none; set 'tls-keystore' to one"
              + " that was signed by an authority which the server trusts",
          cause);
    }
    return new LockUnavailableException(operation + ": " + outage(status, cause), cause);
  }

  private static LockException refused(String operation, Status status, Throwable cause) {
    String said = said(status);
    if (said.contains("invalid user ID or password")) {
      return new LockRejectedException(operation + ": the user name or password is wrong", cause);
    }
    if (said.contains("user name is empty")) {
      return new LockRejectedException(
          operation + ": etcd wants a user; set 'username' and 'password'", cause);
    }
    if (said.contains("authentication is not enabled")) {
      return new LockRejectedException(
          operation + ": etcd has no authentication enabled; remove 'username' and 'password'",
          cause);
    }
    return isStaleToken(cause)
        ? new LockUnavailableException(
            operation + ": etcd says that our authentication token is outdated", cause)
        : new LockRejectedException(operation + ": etcd refuses the request: " + said, cause);
  }

  private static String outage(Status status, Throwable cause) {
    String said = said(status);
    return said.startsWith("etcdserver:")
        ? "etcd answers '" + said + "'"
        : "etcd cannot be reached ("
            + Outage.reason(cause).or(() -> foreign(cause)).orElse(said)
            + ")";
  }

  private static Optional<String> foreign(Throwable failure) {
    for (Throwable at : Failures.causes(failure)) {
      // Netty's, by name: gRPC may bring its own copy.
      if (at.getClass().getSimpleName().equals("Http2Exception")) {
        return Optional.of(Outage.foreign("etcd"));
      }
    }
    return Optional.empty();
  }

  private static String said(Status status) {
    String description = status.getDescription();
    return description == null ? status.getCode().toString() : description;
  }

  /** Whether a new token helps. */
  static boolean isStaleToken(Throwable failure) {
    String said = said(status(failure));
    return said.contains("invalid auth token") || said.contains("revision of auth store is old");
  }

  /** Whether etcd knows no such lease, or none any more. */
  public static boolean isLeaseNotFound(Throwable failure) {
    return status(failure).getCode() == Status.Code.NOT_FOUND;
  }

  /**
   * Whether a transaction has more operations than etcd is set to allow ({@code --max-txn-ops}).
   */
  public static boolean isTooLarge(Throwable failure) {
    return said(status(failure)).contains("too many operations in txn request");
  }

  /** Whether another member might do better, or the same one on another connection. */
  static boolean isOutage(Throwable failure) {
    return switch (status(failure).getCode()) {
      case UNAVAILABLE, DEADLINE_EXCEEDED -> true;
      default -> false;
    };
  }

  /**
   * Whether etcd says that it has not carried the request out. All else may have been carried out,
   * or may still be; that it has run out of space, too: it looks again when it has carried out a
   * transaction.
   */
  public static boolean isRefusal(Throwable failure) {
    return switch (status(failure).getCode()) {
      case NOT_FOUND,
          PERMISSION_DENIED,
          UNAUTHENTICATED,
          INVALID_ARGUMENT,
          FAILED_PRECONDITION,
          UNIMPLEMENTED ->
          true;
      default -> false;
    };
  }
}
