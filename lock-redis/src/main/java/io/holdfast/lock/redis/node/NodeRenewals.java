/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.LockUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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
   * @param claims of any kind
   * @param send of one kind; answers in the order of what it is given
   * @return in the order of the claims
   */
  public static List<CompletableFuture<Boolean>> apart(
      List<Prolongation> claims,
      Function<List<Prolongation>, CompletableFuture<List<CompletableFuture<Boolean>>>> send) {
    List<Prolongation> locks = claims.stream().filter(one -> !one.claim().isShared()).toList();
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
      List<Prolongation> claims,
      Function<List<Prolongation>, CompletableFuture<List<CompletableFuture<Boolean>>>> send) {
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
   * @param claims one or more, all of locks, or all of shares
   * @return for each claim whether it still owned its lock, which fails with a {@link
   *     io.holdfast.lock.LockException} if it was not sent; fails with one if none is known
   */
  public CompletableFuture<List<CompletableFuture<Boolean>>> prolong(List<Prolongation> claims) {
    CompletableFuture<List<CompletableFuture<Boolean>>> all =
        CompletableFuture.completedFuture(new ArrayList<>(claims.size()));
    for (int from = 0; from < claims.size(); from += MOST_IN_ONE_SCRIPT) {
      int to = Math.min(claims.size(), from + MOST_IN_ONE_SCRIPT);
      List<Prolongation> batch = claims.subList(from, to);
      all =
          all.thenCombine(
              sendThoseThatMayBe(batch),
              (answers, more) -> {
                answers.addAll(more);
                return answers;
              });
    }
    return all;
  }

  /** A renewal is not sent if the end of its lock was set after it was asked for. */
  private CompletableFuture<List<CompletableFuture<Boolean>>> sendThoseThatMayBe(
      List<Prolongation> batch) {
    CompletableFuture<@Nullable Void> answered = new CompletableFuture<>();
    List<Prolongation> sent = batch.stream().filter(one -> one.begin(answered)).toList();
    CompletableFuture<List<CompletableFuture<Boolean>>> answers =
        // A step after another, so that what it throws is its failure.
        CompletableFuture.completedFuture(sent).thenCompose(this::send);
    answers.whenComplete((all, failure) -> answered.complete(null));
    return sent.size() == batch.size()
        ? answers
        : answers.thenApply(
            all -> {
              Iterator<CompletableFuture<Boolean>> ofSent = all.iterator();
              return batch.stream()
                  .map(one -> sent.contains(one) ? ofSent.next() : notSent(one))
                  .toList();
            });
  }

  private static CompletableFuture<Boolean> notSent(Prolongation one) {
    return CompletableFuture.failedFuture(
        new LockUnavailableException(
            "Renewing lock '%s' failed: it is being released, or is to end earlier"
                .formatted(one.claim().lockName())));
  }

  private CompletableFuture<List<CompletableFuture<Boolean>>> send(List<Prolongation> batch) {
    if (batch.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    return batch.get(0).claim().isShared() ? sendShares(batch) : sendLocks(batch);
  }

  private static String[] keys(List<Prolongation> batch) {
    return batch.stream().map(one -> one.claim().key()).toArray(String[]::new);
  }

  private static String[] args(List<Prolongation> batch) {
    List<String> args = new ArrayList<>();
    for (Prolongation one : batch) {
      args.add(one.claim().ownerId());
      args.add(String.valueOf(one.ttl().toMillis()));
      if (one.claim().isShared()) {
        args.add(String.valueOf(one.claim().permits()));
      }
    }
    return args.toArray(String[]::new);
  }

  private CompletableFuture<List<CompletableFuture<Boolean>>> sendShares(List<Prolongation> batch) {
    return node.<List<Object>>call(
            "Renewing " + batch.size() + " share(s)", Script.SHARE_RENEW, keys(batch), args(batch))
        .thenApply(answers -> LockCalls.each(answers, answer -> !answer.equals(0L)));
  }

  private CompletableFuture<List<CompletableFuture<Boolean>>> sendLocks(List<Prolongation> batch) {
    batch.forEach(one -> one.claim().requested().request(one.ttl()));
    return node.<List<Object>>call(
            "Renewing " + batch.size() + " lock(s)", Script.RENEW, keys(batch), args(batch))
        .thenApply(
            answers -> {
              shorten(batch, answers);
              return LockCalls.each(answers, answer -> !answer.equals(0L));
            });
  }

  /**
   * Corrects locks that the server keeps for longer than was asked for, after a step of its clock
   * back. Nobody waits for it: the next renewal finds what is left to do.
   */
  private void shorten(List<Prolongation> batch, List<Object> answers) {
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
   * @return as {@link #prolong}
   */
  public CompletableFuture<List<CompletableFuture<Boolean>>> prolongEverywhere(
      List<Prolongation> claims) {
    return node.over(
        "Renewing",
        line ->
            prolong(claims)
                .thenApply(
                    owned -> {
                      CompletableFuture<Boolean> ours =
                          confirmed(owned.stream().anyMatch(NodeRenewals::isOurs), line);
                      return owned.stream()
                          .map(
                              one ->
                                  one.exceptionallyCompose(
                                          failure -> node.failed("Renewing", line, failure))
                                      .thenCompose(still -> still ? ours : one))
                          .toList();
                    }));
  }

  private static boolean isOurs(CompletableFuture<Boolean> answer) {
    return !answer.isCompletedExceptionally() && answer.join();
  }

  private CompletableFuture<Boolean> confirmed(boolean any, CommandConnection line) {
    return any ? node.replicated("Renewing", line, true) : CompletableFuture.completedFuture(true);
  }
}
