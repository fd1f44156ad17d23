/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.Status.Code;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Tests the exceptions for each answer of etcd, and which of them says that nothing was done. */
class EtcdFailuresTest {

  private static final String OPERATION = "Acquiring lock 'a'";

  /** With these, nothing was carried out, and nothing will be. */
  private static final Set<Code> REFUSALS =
      EnumSet.of(
          Code.NOT_FOUND,
          Code.PERMISSION_DENIED,
          Code.UNAUTHENTICATED,
          Code.INVALID_ARGUMENT,
          Code.FAILED_PRECONDITION,
          Code.UNIMPLEMENTED);

  /** Of Netty, which gRPC may bring under another name. */
  private static final class Http2Exception extends Exception {
    private static final long serialVersionUID = 1;
  }

  private static void isTold(
      Class<? extends LockException> type, String hint, Code code, String said) {
    isTold(type, hint, code.toStatus().withDescription(said));
  }

  private static void isTold(Class<? extends LockException> type, String hint, Status status) {
    LockException told =
        EtcdFailures.typed(OPERATION, new CompletionException(status.asRuntimeException()));
    assertInstanceOf(type, told);
    String message = String.valueOf(told.getMessage());
    assertTrue(message.startsWith(OPERATION + ": "), message);
    assertTrue(message.contains(hint), message);
  }

  /** To ask again does not help. */
  @Test
  void anErrorThatSomebodyHasToFixIsARejection() {
    Class<LockRejectedException> type = LockRejectedException.class;
    isTold(type, "no permission", Code.PERMISSION_DENIED, "etcdserver: permission denied");
    isTold(type, "version 3.4 or newer", Code.UNIMPLEMENTED, "unknown service");
    isTold(
        type,
        "user name or password is wrong",
        Code.INVALID_ARGUMENT,
        "etcdserver: authentication failed, invalid user ID or password");
    isTold(
        type,
        "set 'username' and 'password'",
        Code.INVALID_ARGUMENT,
        "etcdserver: user name is empty");
    isTold(
        type,
        "remove 'username' and 'password'",
        Code.FAILED_PRECONDITION,
        "etcdserver: authentication is not enabled");
    isTold(type, "refuses the request: etcdserver: x", Code.INVALID_ARGUMENT, "etcdserver: x");
    isTold(type, "refuses the request: y", Code.UNAUTHENTICATED, "y");
    isTold(type, "refuses the request: z", Code.FAILED_PRECONDITION, "z");
  }

  /** To ask again may help. */
  @Test
  void aPassingFailureIsAnOutage() {
    Class<LockUnavailableException> type = LockUnavailableException.class;
    isTold(type, "command time-out", Code.DEADLINE_EXCEEDED, "after 2 s");
    isTold(type, "outdated", Code.UNAUTHENTICATED, "etcdserver: invalid auth token");
    isTold(type, "outdated", Code.INVALID_ARGUMENT, "etcdserver: revision of auth store is old");
    isTold(type, "answers 'etcdserver: no leader'", Code.UNAVAILABLE, "etcdserver: no leader");
    isTold(
        type,
        "answers 'etcdserver: mvcc: database space exceeded'",
        Code.RESOURCE_EXHAUSTED,
        "etcdserver: mvcc: database space exceeded");
    isTold(type, "cannot be reached (io exception)", Code.UNAVAILABLE, "io exception");
    isTold(type, "cannot be reached (UNAVAILABLE)", Status.UNAVAILABLE);
  }

  /** As a web server that is taken for an etcd. */
  @Test
  void anotherProtocolIsNamedAsThat() {
    String told =
        String.valueOf(
            EtcdFailures.typed(
                    OPERATION,
                    Status.UNAVAILABLE
                        .withDescription("http2 failed")
                        .withCause(new IllegalStateException(new Http2Exception()))
                        .asRuntimeException())
                .getMessage());
    assertTrue(!told.contains("http2 failed"), told);
  }

  @Test
  void aTypedFailureStaysAsItIs() {
    LockException known = new LockUnavailableException("known");
    assertSame(known, EtcdFailures.typed(OPERATION, new CompletionException(known)));
  }

  /** A request that may have been carried out has to be undone. */
  @Test
  void allButARefusalMayHaveBeenCarriedOut() {
    for (Code code : EnumSet.complementOf(EnumSet.of(Code.OK))) {
      Throwable failure = code.toStatus().asRuntimeException();
      assertEquals(REFUSALS.contains(code), EtcdFailures.isRefusal(failure), code::toString);
      assertEquals(code == Code.NOT_FOUND, EtcdFailures.isLeaseNotFound(failure), code::toString);
    }
  }

  /** With any other answer it is there. */
  @Test
  void aMemberThatIsAwayOrSilentIsLeftForAnother() {
    Set<Code> outages = EnumSet.of(Code.UNAVAILABLE, Code.DEADLINE_EXCEEDED);
    for (Code code : Code.values()) {
      assertEquals(
          outages.contains(code),
          EtcdFailures.isOutage(code.toStatus().asException()),
          code::toString);
    }
  }
}
