/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Prolongs what claims hold at one server, many of them with one script. */
public final class NodeRenewals {

  private static final int MOST_IN_ONE_SCRIPT = 200;

  private final RedisNode node;

  /**
   * Sends nothing yet.
   *
   * @param node the server
   */
  public NodeRenewals(RedisNode node) {
    this.node = node;
  }

  /**
   * Asks for locks and for shares apart, so that a failure of one kind says nothing about the
   * other.
   *
   * @param send of one kind; answers in the order of what it is given
   * @return in the order of the claims
   */
  static List<CompletableFuture<Boolean>> apart(
      List<NodeClaim.Prolongation> claims,
      Function<List<NodeClaim.Prolongation>, CompletableFuture<List<CompletableFuture<Boolean>>>>
          send) {
    List<NodeClaim.Prolongation> locks =
        claims.stream().filter(one -> !one.claim().isShared()).toList();
    if (locks.size() == claims.size()) {
      return each(claims, send);
    }
    Iterator<CompletableFuture<Boolean>> ofLocks = each(locks, send).iterator();
    Iterator<CompletableFuture<Boolean>> ofShares =
        each(claims.stream().filter(one -> one.claim().isShared()).toList(), send).iterator();
    return claims.stream()
        .map(one -> one.claim().isShared() ? ofShares.next() : ofLocks.next())
        .toList();
  }

  private static List<CompletableFuture<Boolean>> each(
      List<NodeClaim.Prolongation> claims,
      Function<List<NodeClaim.Prolongation>, CompletableFuture<List<CompletableFuture<Boolean>>>>
          send) {
    if (claims.isEmpty()) {
      return List.of();
    }
    CompletableFuture<List<CompletableFuture<Boolean>>> all = send.apply(claims);
    return IntStream.range(0, claims.size())
        .mapToObj(i -> all.thenCompose(owned -> owned.get(i)))
        .toList();
  }

  /**
   * Prolongs what is still its owner's, and never shortens what was asked for. As few requests as
   * the server likes.
   *
   * @param claims one or more, of locks
   * @return for each claim whether it still owned its lock; fails with a {@link
   *     io.holdfast.lock.LockException}
   */
  public CompletableFuture<List<Boolean>> prolong(List<NodeClaim.Prolongation> claims) {
    return inBatches(claims, this::prolongLocks);
  }

  private static <A> CompletableFuture<List<A>> inBatches(
      List<NodeClaim.Prolongation> claims,
      BiFunction<List<NodeClaim.Prolongation>, String[], CompletableFuture<List<A>>> send) {
    CompletableFuture<List<A>> all =
        CompletableFuture.completedFuture(new ArrayList<>(claims.size()));
    for (int from = 0; from < claims.size(); from += MOST_IN_ONE_SCRIPT) {
      int to = Math.min(claims.size(), from + MOST_IN_ONE_SCRIPT);
      List<NodeClaim.Prolongation> batch = claims.subList(from, to);
      all =
          all.thenCombine(
              send.apply(batch, keys(batch)),
              (answers, more) -> {
                answers.addAll(more);
                return answers;
              });
    }
    return all;
  }

  private static String[] keys(List<NodeClaim.Prolongation> batch) {
    return batch.stream().map(one -> one.claim().key()).toArray(String[]::new);
  }

  private static String[] args(List<NodeClaim.Prolongation> batch) {
    String[] args = new String[2 * batch.size()];
    for (int i = 0; i < batch.size(); i++) {
      NodeClaim.Prolongation one = batch.get(i);
      args[2 * i] = one.claim().ownerId();
      args[2 * i + 1] = String.valueOf(one.ttl().toMillis());
    }
    return args;
  }

  private CompletableFuture<List<CompletableFuture<Boolean>>> prolongShares(
      List<NodeClaim.Prolongation> batch, String[] keys) {
    return node.<List<Object>>call(
            "Renewing " + batch.size() + " share(s)", Script.SHARE_RENEW, keys, args(batch))
        .thenApply(answers -> LockCalls.each(answers, answer -> !answer.equals(0L)));
  }

  private CompletableFuture<List<Boolean>> prolongLocks(
      List<NodeClaim.Prolongation> batch, String[] keys) {
    batch.forEach(one -> one.claim().requested().request(one.ttl()));
    return node.<List<Object>>call(
            "Renewing " + batch.size() + " lock(s)", Script.RENEW, keys, args(batch))
        .thenApply(
            answers -> {
              shorten(batch, answers);
              return answers.stream().map(answer -> !answer.equals(0L)).toList();
            });
  }

  /**
   * What the server keeps for longer than was asked for, after a step of its clock back. Nobody
   * waits for it: the next renewal finds what is left to do.
   */
  private void shorten(List<NodeClaim.Prolongation> batch, List<Object> answers) {
    List<String> keys = new ArrayList<>();
    List<String> args = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      if (answers.get(i) instanceof List<?> kept) {
        NodeClaim claim = batch.get(i).claim();
        claim
            .requested()
            .insteadOf(Duration.ofMillis((Long) kept.get(1)))
            .ifPresent(
                ttl -> {
                  keys.add(claim.key());
                  args.add(claim.ownerId());
                  args.add(String.valueOf(kept.get(0)));
                  args.add(String.valueOf(ttl.toMillis() + 1));
                });
      }
    }
    if (!keys.isEmpty()) {
      var unused =
          node.<Long>call(
              "Shortening " + keys.size() + " lock(s)",
              Script.SHORTEN,
              keys.toArray(String[]::new),
              args.toArray(String[]::new));
    }
  }

  /**
   * As {@link #prolong}, and what was prolonged counts only if enough replicas have it. That a lock
   * is not its owner's any more counts at once.
   *
   * @param claims one or more, all of locks, or all of shares
   */
  CompletableFuture<List<CompletableFuture<Boolean>>> prolongEverywhere(
      List<NodeClaim.Prolongation> claims) {
    boolean shared = claims.get(0).claim().isShared();
    return node.over(
        "Renewing",
        line -> shared ? sharesEverywhere(claims, line) : locksEverywhere(claims, line));
  }

  private CompletableFuture<List<CompletableFuture<Boolean>>> locksEverywhere(
      List<NodeClaim.Prolongation> claims, CommandConnection line) {
    return prolong(claims)
        .thenApply(
            owned -> {
              CompletableFuture<Boolean> ours = confirmed(owned.contains(true), line);
              return owned.stream()
                  .map(one -> one ? ours : CompletableFuture.completedFuture(false))
                  .toList();
            });
  }

  private CompletableFuture<List<CompletableFuture<Boolean>>> sharesEverywhere(
      List<NodeClaim.Prolongation> claims, CommandConnection line) {
    return inBatches(claims, this::prolongShares)
        .thenApply(
            owned -> {
              CompletableFuture<Boolean> ours =
                  confirmed(
                      owned.stream().anyMatch(one -> !one.isCompletedExceptionally() && one.join()),
                      line);
              return owned.stream()
                  .map(
                      one ->
                          one.exceptionallyCompose(
                                  failure -> node.failed("Renewing", line, failure))
                              .thenCompose(still -> still ? ours : one))
                  .toList();
            });
  }

  private CompletableFuture<Boolean> confirmed(boolean any, CommandConnection line) {
    return any
        ? node.replicated("Renewing", line).thenApply(done -> true)
        : CompletableFuture.completedFuture(true);
  }
}
