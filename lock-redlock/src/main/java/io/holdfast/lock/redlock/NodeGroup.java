/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.redis.client.RedisFailures;
import io.holdfast.lock.redis.node.RedisNode;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The nodes, which of them count, and the greatest number that was seen at any. */
final class NodeGroup {

  private static final int BUCKETS = 1024;

  final List<RedisNode> nodes;
  final TimeSource time;
  final Duration commandTimeout;

  private final String namespace;
  private final Optional<Duration> restartDelay;
  private final AtomicLong greatest = new AtomicLong();

  NodeGroup(
      List<RedisNode> nodes,
      TimeSource time,
      Duration commandTimeout,
      String namespace,
      Optional<Duration> restartDelay) {
    this.nodes = nodes;
    this.time = time;
    this.commandTimeout = commandTimeout;
    this.namespace = namespace;
    this.restartDelay = restartDelay;
  }

  int size() {
    return nodes.size();
  }

  int quorum() {
    return Ballot.quorumOf(nodes.size());
  }

  /**
   * The counter of a lock. Many locks share one, so that counters do not pile up; and there are
   * many, so that locks that are taken at the same time do not make the nodes' counters disagree.
   * No namespace has a hash sign, so no lock has this key.
   */
  String counter(String lockName) {
    return namespace + "#token:" + Math.floorMod(lockName.hashCode(), BUCKETS);
  }

  /** For how long a server that was started does not count, if that is so. */
  Optional<Duration> restartDelay() {
    return restartDelay;
  }

  /** The number to propose. */
  long candidate() {
    return greatest.get() + 1;
  }

  void seen(long number) {
    greatest.accumulateAndGet(number, Math::max);
  }

  /** Why what a node grants does not count, though it answers. */
  Optional<LockException> ineligibility(int node) {
    Optional<LockException> same = duplicate(node);
    return same.isPresent() ? same : startedRecently(node);
  }

  /** Two addresses of one server would be two votes of one. */
  Optional<LockException> duplicate(int node) {
    Optional<String> run = nodes.get(node).serverRun();
    return nodes.subList(0, node).stream()
        .filter(other -> run.isPresent() && other.serverRun().equals(run))
        .findFirst()
        .map(
            other ->
                new LockRejectedException(
                    "Redis at %s does not count: it is the same server as the one at %s; see 'uris'"
                        .formatted(nodes.get(node).where(), other.where())));
  }

  private Optional<LockException> startedRecently(int node) {
    if (restartDelay.isEmpty()) {
      return Optional.empty();
    }
    Optional<Duration> uptime = nodes.get(node).uptime();
    if (uptime.isPresent() && uptime.get().compareTo(restartDelay.get()) >= 0) {
      return Optional.empty();
    }
    return Optional.of(
        new LockUnavailableException(
            "Redis at %s does not count: it has only been running for %s, and 'restart-delay' is %s"
                .formatted(
                    nodes.get(node).where(),
                    uptime
                        .map(TimeText::of)
                        .orElse("a time that it does not tell (INFO is not permitted)"),
                    TimeText.of(restartDelay.get()))));
  }

  /** A lock must not outlast the time for which a node that forgot it is not counted. */
  void checkTtl(Duration ttl) {
    if (restartDelay.isPresent() && ttl.compareTo(restartDelay.get()) > 0) {
      throw new LockRejectedException(
          "A TTL of %s is longer than 'restart-delay', %s: a node that lost its data could give the"
                  .formatted(TimeText.of(ttl), TimeText.of(restartDelay.get()))
              + " lock away; raise that setting, or lower the TTL");
    }
  }

  /**
   * The failure for a caller when too many nodes failed: it says that it will not help to try again
   * only if so many refuse that the others are no quorum.
   */
  LockException noQuorum(String doing, List<LockException> causes) {
    String why =
        causes.stream().map(LockException::getMessage).distinct().collect(Collectors.joining("; "));
    String message = doing + " failed: too few nodes take part: " + why;
    LockException first = causes.get(0);
    long refusals = causes.stream().filter(LockRejectedException.class::isInstance).count();
    LockException told =
        refusals > size() - quorum()
            ? new LockRejectedException(message, first)
            : new LockUnavailableException(message, first);
    causes.stream().skip(1).forEach(told::addSuppressed);
    return told;
  }

  static LockException typed(String doing, @Nullable Throwable failure) {
    return failure == null
        ? new LockUnavailableException(doing + " failed: there was no answer")
        : RedisFailures.typed(doing, failure);
  }
}
