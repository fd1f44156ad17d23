/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.session;

import io.holdfast.lock.LockException;
import io.holdfast.lock.spi.support.TimeLimit;
import io.holdfast.lock.zookeeper.client.ZooKeeperFailures;
import io.holdfast.lock.zookeeper.queue.LockPaths;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.zookeeper.data.ACL;

/**
 * Sends requests in the session that a client has now, within its time limit and with typed
 * failures.
 */
public final class SessionRequests {

  private final CurrentSession sessions;
  private final LockPaths paths;
  private final List<ACL> acl;
  private final Duration timeout;
  private final TimeLimit limit;

  /**
   * Requests of one client.
   *
   * @param acl of every node that is made
   * @param timeout of each request
   */
  public SessionRequests(
      CurrentSession sessions, LockPaths paths, List<ACL> acl, Duration timeout) {
    this.sessions = sessions;
    this.paths = paths;
    this.acl = acl;
    this.timeout = timeout;
    this.limit = new TimeLimit(timeout);
  }

  public CurrentSession sessions() {
    return sessions;
  }

  public LockPaths paths() {
    return paths;
  }

  public List<ACL> acl() {
    return acl;
  }

  public Duration timeout() {
    return timeout;
  }

  /** Makes the container nodes down to a lock's own. */
  public CompletableFuture<Void> createParents(ZooKeeperSession session, String lockPath) {
    // Sent together: a session's requests are carried out in order. We may lack the right to make
    // those above, and need not have it if they are there.
    CompletableFuture<?>[] above =
        paths.ancestors().stream()
            .map(ancestor -> session.createContainer(ancestor, acl))
            .toArray(CompletableFuture[]::new);
    return session
        .createContainer(lockPath, acl)
        .exceptionallyCompose(
            failure ->
                ZooKeeperFailures.isNoNode(failure)
                    ? CompletableFuture.allOf(above)
                    : CompletableFuture.failedFuture(failure));
  }

  /** A step on the session that is connected now, with the deadline, and with typed failures. */
  public <T> CompletableFuture<T> ask(
      String operation, Function<ZooKeeperSession, CompletableFuture<T>> step) {
    ZooKeeperSession now;
    try {
      now = sessions.connected(() -> operation);
    } catch (LockException e) {
      return CompletableFuture.failedFuture(e);
    }
    return inTime(step.apply(now), () -> operation);
  }

  /** The same with the deadline, and with typed failures. */
  public <T> CompletableFuture<T> inTime(CompletableFuture<T> step, Supplier<String> operation) {
    return limit.on(step, failure -> ZooKeeperFailures.typed(operation.get(), failure));
  }
}
