/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.client;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;

/**
 * Tests the exceptions for each answer of ZooKeeper, and which of them says that nothing was done.
 */
class ZooKeeperFailuresTest {

  private static final String OPERATION = "Acquiring lock 'a'";

  /** With these, nothing was carried out, and nothing will be. */
  private static final Set<Code> REFUSALS =
      EnumSet.of(
          Code.NONODE,
          Code.NOAUTH,
          Code.AUTHFAILED,
          Code.INVALIDACL,
          Code.NOCHILDRENFOREPHEMERALS,
          Code.UNIMPLEMENTED,
          Code.QUOTAEXCEEDED,
          Code.BADARGUMENTS,
          Code.NOTREADONLY,
          Code.NODEEXISTS);

  /** All of which there is an exception. */
  private static final Set<Code> FAILURES =
      EnumSet.complementOf(EnumSet.of(Code.OK, Code.UNKNOWNSESSION));

  private static Throwable failure(Code code) {
    return new CompletionException(KeeperException.create(code, "/holdfast"));
  }

  /** To ask again does not help. */
  @Test
  void anErrorThatSomebodyHasToFixIsARejection() {
    Map.ofEntries(
            entry(Code.NOAUTH, "the setting 'auth'"),
            entry(Code.AUTHFAILED, "does not accept the identity"),
            entry(Code.SESSIONCLOSEDREQUIRESASLAUTH, "does not accept the identity"),
            entry(Code.INVALIDACL, "set 'auth'"),
            entry(Code.NOCHILDRENFOREPHEMERALS, "of another program"),
            entry(Code.UNIMPLEMENTED, "3.6 or newer"),
            entry(Code.QUOTAEXCEEDED, "quota"),
            entry(Code.BADARGUMENTS, "refuses the request"),
            entry(Code.MARSHALLINGERROR, "refuses the request"))
        .forEach((code, hint) -> isTold(LockRejectedException.class, hint, failure(code)));
  }

  /** To ask again may help. */
  @Test
  void aPassingFailureIsAnOutage() {
    Map.ofEntries(
            entry(Code.SESSIONEXPIRED, "session has ended"),
            entry(Code.NOTREADONLY, "without its quorum"),
            entry(Code.NONODE, "has the chroot been deleted"),
            entry(Code.CONNECTIONLOSS, "CONNECTIONLOSS"),
            entry(Code.SESSIONMOVED, "SESSIONMOVED"),
            entry(Code.OPERATIONTIMEOUT, "OPERATIONTIMEOUT"))
        .forEach((code, hint) -> isTold(LockUnavailableException.class, hint, failure(code)));
  }

  @Test
  void aFailureThatIsNotZooKeepersIsAnOutage() {
    isTold(LockUnavailableException.class, "command time-out", new TimeoutException());
    isTold(LockUnavailableException.class, "client failed", new IllegalStateException());
  }

  @Test
  void aTypedFailureStaysAsItIs() {
    LockException known = new LockUnavailableException("known");
    assertSame(known, ZooKeeperFailures.typed(OPERATION, new CompletionException(known)));
  }

  private static void isTold(Class<? extends LockException> type, String hint, Throwable failure) {
    LockException told = ZooKeeperFailures.typed(OPERATION, failure);
    assertInstanceOf(type, told);
    String message = String.valueOf(told.getMessage());
    assertTrue(message.startsWith(OPERATION + ": "), message);
    assertTrue(message.contains(hint), message);
  }

  /** A node that a lost request may have made has to be looked for. */
  @Test
  void allButARefusalMayHaveBeenCarriedOut() {
    for (Code code : FAILURES) {
      assertEquals(
          REFUSALS.contains(code), ZooKeeperFailures.isRefusal(failure(code)), code::toString);
    }
  }

  @Test
  void neitherIsAFailureOfTheClientARefusal() {
    assertFalse(ZooKeeperFailures.isRefusal(new TimeoutException()));
  }

  @Test
  void aNodeThatIsMissingOrThereIsTold() {
    for (Code code : FAILURES) {
      assertEquals(code == Code.NONODE, ZooKeeperFailures.isNoNode(failure(code)));
      assertEquals(code == Code.NODEEXISTS, ZooKeeperFailures.isNodeExists(failure(code)));
    }
  }
}
