/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.client;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.spi.support.Failures;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;

/** Turns what ZooKeeper says into what a caller can act on. The only place that does. */
public final class ZooKeeperFailures {

  private ZooKeeperFailures() {}

  /**
   * The typed form of a failure.
   *
   * @param operation what was tried, with the lock's name, to begin the message
   * @param failure what came of it
   */
  public static LockException typed(String operation, Throwable failure) {
    Throwable cause = Failures.cause(failure);
    if (cause instanceof LockException typed) {
      return typed;
    }
    if (cause instanceof TimeoutException) {
      return new LockUnavailableException(
          operation + ": ZooKeeper did not answer within the command time-out", cause);
    }
    return cause instanceof KeeperException keeper
        ? typed(operation, keeper)
        : new LockUnavailableException(operation + ": the ZooKeeper client failed", cause);
  }

  private static LockException typed(String operation, KeeperException cause) {
    return switch (cause.code()) {
      case NOAUTH ->
          new LockRejectedException(
              operation + ": the ACL of a node gives us no right to it; check the setting 'auth'",
              cause);
      case AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH ->
          new LockRejectedException(
              operation + ": ZooKeeper does not accept the identity; check the setting 'auth'",
              cause);
      case INVALIDACL ->
          new LockRejectedException(
              operation + ": acl=creator needs an identity, and ZooKeeper has none; set 'auth'",
              cause);
      case NOCHILDRENFOREPHEMERALS ->
          new LockRejectedException(
              operation
                  + ": there is an ephemeral node of another program where the lock should be",
              cause);
      case UNIMPLEMENTED ->
          new LockRejectedException(
              operation
                  + ": the server does not support container nodes; ZooKeeper 3.6 or newer is needed",
              cause);
      case QUOTAEXCEEDED ->
          new LockRejectedException(operation + ": a quota of ZooKeeper is used up", cause);
      case BADARGUMENTS, MARSHALLINGERROR ->
          new LockRejectedException(operation + ": ZooKeeper refuses the request", cause);
      case SESSIONEXPIRED ->
          new LockUnavailableException(
              operation + ": the ZooKeeper session has ended; a new one is on its way", cause);
      case NOTREADONLY ->
          new LockUnavailableException(
              operation + ": the server is without its quorum, and read-only", cause);
      case NONODE ->
          new LockUnavailableException(
              operation + ": a parent node is missing; has the chroot been deleted?", cause);
      default ->
          new LockUnavailableException(
              operation + ": the connection to ZooKeeper failed (" + cause.code() + ")", cause);
    };
  }

  /**
   * Whether the server says that it has not carried the request out. All else may have been carried
   * out, or may still be.
   */
  public static boolean isRefusal(Throwable failure) {
    return switch (code(failure)) {
      case NONODE,
          NOAUTH,
          AUTHFAILED,
          INVALIDACL,
          NOCHILDRENFOREPHEMERALS,
          UNIMPLEMENTED,
          QUOTAEXCEEDED,
          BADARGUMENTS,
          NOTREADONLY,
          NODEEXISTS ->
          true;
      default -> false;
    };
  }

  public static boolean isNoNode(Throwable failure) {
    return code(failure) == Code.NONODE;
  }

  public static boolean isNodeExists(Throwable failure) {
    return code(failure) == Code.NODEEXISTS;
  }

  private static Code code(Throwable failure) {
    return Failures.cause(failure) instanceof KeeperException keeper
        ? keeper.code()
        : Code.SYSTEMERROR;
  }
}
