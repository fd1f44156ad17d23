/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Capabilities;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests the kit: each faulty backend is caught by the rule that it breaks. */
@Execution(ExecutionMode.CONCURRENT)
class LiarsTest {

  private static void caught(
      String liar,
      String rule,
      String pitfall,
      BiFunction<LockBackend, MemoryServer, LockBackend> lie) {
    try (LyingFixture fixture = new LyingFixture(liar, lie)) {
      Liars.expectCaught(fixture, rule, pitfall);
    }
  }

  /** A lie told by claims alone. */
  private interface ClaimLie {
    LockClaim tell(LockClaim inner, ClaimRequest request, ClaimSignals signals);
  }

  private static BiFunction<LockBackend, MemoryServer, LockBackend> claims(ClaimLie lie) {
    return (inner, server) ->
        new Truthful(inner) {
          @Override
          public LockClaim claim(ClaimRequest request, ClaimSignals signals) {
            return new Claim(lie.tell(inner.claim(request, signals), request, signals), request) {};
          }

          @Override
          public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest> requests) {
            return CompletableFuture.completedFuture(
                requests.stream()
                    .<RenewalAnswer>map(request -> new RenewalAnswer.Extended(request.ttl()))
                    .toList());
          }
        };
  }

  private static BiFunction<LockBackend, MemoryServer, LockBackend> names(
      UnaryOperator<String> lie) {
    return (inner, server) ->
        new Truthful(inner) {
          @Override
          public LockClaim claim(ClaimRequest request, ClaimSignals signals) {
            ClaimRequest changed =
                new ClaimRequest(lie.apply(request.lockName()), request.ownerId(), request.ttl());
            return super.claim(changed, signals);
          }
        };
  }

  private static CompletionStage<Attempt> grantedAs(
      LockClaim inner, java.util.function.Function<Attempt.Granted, Attempt> lie) {
    return inner
        .attempt()
        .thenApply(
            answer -> answer instanceof Attempt.Granted granted ? lie.apply(granted) : answer);
  }

  @Test
  void grantsToEverybody() {
    AtomicLong tokens = new AtomicLong();
    caught(
        "grants-to-everybody",
        "EX-2",
        "the check and the set are not one step, so two find it free",
        claims(
            (inner, request, signals) ->
                new Truthful.Claim(inner, request) {
                  @Override
                  public CompletionStage<Attempt> attempt() {
                    return CompletableFuture.completedFuture(
                        new Attempt.Granted(tokens.incrementAndGet(), request.ttl()));
                  }
                }));
  }

  @Test
  void foldsNames() {
    caught(
        "folds-names",
        "EX-6",
        "names that differ in case only are one lock",
        names(name -> name.toLowerCase(Locale.ROOT)));
  }

  @Test
  void cutsNames() {
    caught(
        "cuts-names",
        "EX-6",
        "long names are cut, so two of them are one lock",
        names(name -> name.substring(0, Math.min(128, name.length()))));
  }

  @Test
  void trimsNames() {
    caught("trims-names", "EX-6", "blanks at the end do not count", names(String::stripTrailing));
  }

  @Test
  void releasesAnybodys() {
    caught(
        "releases-anybodys",
        "OW-2",
        "release deletes the lock without looking whose it is",
        (inner, server) ->
            new Truthful(inner) {
              @Override
              public LockClaim claim(ClaimRequest request, ClaimSignals signals) {
                return new Claim(inner.claim(request, signals), request) {
                  @Override
                  public CompletionStage<ReleaseAnswer> release() {
                    server.revoke(request.lockName());
                    return inner.release();
                  }
                };
              }
            });
  }

  @Test
  void renewalTakesAnew() {
    caught(
        "renewal-takes-anew",
        "RN-6",
        "a renewal that finds nothing takes the lock again",
        (inner, server) ->
            new Truthful(inner) {
              @Override
              public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest> requests) {
                requests.forEach(request -> request.claim().attempt());
                return super.renew(requests);
              }
            });
  }

  @Test
  void renewalAlwaysSucceeds() {
    caught(
        "renewal-always-succeeds",
        "LS-3",
        "the answer to a renewal is not looked at",
        (inner, server) ->
            new Truthful(inner) {
              @Override
              public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest> requests) {
                return super.renew(requests)
                    .thenApply(
                        answers ->
                            requests.stream()
                                .<RenewalAnswer>map(
                                    request -> new RenewalAnswer.Extended(request.ttl()))
                                .toList());
              }
            });
  }

  @Test
  void renewalNeverSent() {
    caught(
        "renewal-never-sent",
        "RN-1",
        "the watchdog says that it renewed, and did not",
        (inner, server) ->
            new Truthful(inner) {
              @Override
              public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest> requests) {
                return CompletableFuture.completedFuture(
                    requests.stream()
                        .<RenewalAnswer>map(request -> new RenewalAnswer.Extended(request.ttl()))
                        .toList());
              }
            });
  }

  @Test
  void oneFailedRenewalIsALoss() {
    AtomicLong asked = new AtomicLong();
    caught(
        "one-failure-is-loss",
        "RN-1",
        "the first renewal without an answer counts as a loss",
        (inner, server) ->
            new Truthful(inner) {
              @Override
              public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest> requests) {
                if (asked.incrementAndGet() < 3) {
                  return super.renew(requests);
                }
                return CompletableFuture.completedFuture(
                    requests.stream()
                        .<RenewalAnswer>map(request -> new RenewalAnswer.Lost(LossReason.REVOKED))
                        .toList());
              }
            });
  }

  @Test
  void repeatsTokens() {
    caught(
        "repeats-tokens",
        "FN-1",
        "the token is a constant of the lock",
        claims(
            (inner, request, signals) ->
                new Truthful.Claim(inner, request) {
                  @Override
                  public CompletionStage<Attempt> attempt() {
                    return grantedAs(inner, granted -> new Attempt.Granted(7, request.ttl()));
                  }
                }));
  }

  @Test
  void startsTokensAgainAfterIdleTime() {
    AtomicLong next = new AtomicLong(1);
    AtomicLong lastUse = new AtomicLong(System.nanoTime());
    caught(
        "forgets-tokens",
        "FN-3",
        "the counter goes when the lock goes, and begins again",
        claims(
            (inner, request, signals) ->
                new Truthful.Claim(inner, request) {
                  @Override
                  public CompletionStage<Attempt> attempt() {
                    long now = System.nanoTime();
                    if (now - lastUse.getAndSet(now) > TimeUnit.MILLISECONDS.toNanos(400)) {
                      next.set(1);
                    }
                    return grantedAs(
                        inner,
                        granted -> new Attempt.Granted(next.getAndIncrement(), request.ttl()));
                  }
                }));
  }

  @Test
  void vouchesForTooLong() {
    caught(
        "vouches-for-too-long",
        "LT-2",
        "the holder believes longer than the server keeps the lock",
        claims(
            (inner, request, signals) ->
                new Truthful.Claim(inner, request) {
                  @Override
                  public CompletionStage<Attempt> attempt() {
                    return grantedAs(
                        inner,
                        granted ->
                            new Attempt.Granted(granted.token(), request.ttl().multipliedBy(2)));
                  }
                }));
  }

  @Test
  void neverWakes() {
    caught(
        "never-wakes",
        "WT-5",
        "a wake-up is promised, and none is sent",
        (inner, server) ->
            new Truthful(inner) {
              @Override
              public LockClaim claim(ClaimRequest request, ClaimSignals signals) {
                return super.claim(
                    request,
                    new ClaimSignals() {
                      @Override
                      public void wake() {}

                      @Override
                      public void lost(LossReason reason) {
                        signals.lost(reason);
                      }
                    });
              }
            });
  }

  @Test
  void reliesOnMessages() {
    caught(
        "relies-on-messages",
        "WT-6",
        "who waits is only served when a message comes, and messages get lost",
        claims(
            (inner, request, signals) ->
                new Truthful.Claim(inner, request) {
                  private boolean refused;

                  @Override
                  public CompletionStage<Attempt> attempt() {
                    if (refused) {
                      return CompletableFuture.completedFuture(
                          new Attempt.Contended(Optional.empty()));
                    }
                    refused = true;
                    return inner.attempt();
                  }
                }));
  }

  @Test
  void forgetsWhatWasCancelled() {
    Executor late = CompletableFuture.delayedExecutor(2, TimeUnit.MILLISECONDS);
    caught(
        "forgets-what-was-cancelled",
        "CA-4",
        "a grant that arrives after the caller gave up is nobody's, and stays",
        claims(
            (inner, request, signals) ->
                new Truthful.Claim(inner, request) {
                  private volatile boolean known;

                  @Override
                  public CompletionStage<Attempt> attempt() {
                    return inner
                        .attempt()
                        .thenApplyAsync(
                            answer -> {
                              known = true;
                              return answer;
                            },
                            late);
                  }

                  @Override
                  public CompletionStage<ReleaseAnswer> release() {
                    return known
                        ? inner.release()
                        : CompletableFuture.completedFuture(ReleaseAnswer.NOT_OURS);
                  }
                }));
  }

  @Test
  void staysInTheQueue() {
    Executor later = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);
    caught(
        "stays-in-the-queue",
        "CA-2",
        "a waiter that was called off is served later all the same",
        claims(
            (inner, request, signals) ->
                new Truthful.Claim(inner, request) {
                  @Override
                  public CompletionStage<Attempt> attempt() {
                    return inner.attempt();
                  }

                  @Override
                  public CompletionStage<ReleaseAnswer> release() {
                    return inner
                        .release()
                        .thenApply(
                            answer -> {
                              if (answer == ReleaseAnswer.NOT_OURS) {
                                later.execute(this::serveLater);
                              }
                              return answer;
                            });
                  }

                  private void serveLater() {
                    inner
                        .attempt()
                        .thenAccept(
                            answer -> {
                              if (answer instanceof Attempt.Contended) {
                                later.execute(this::serveLater);
                              }
                            });
                  }
                }));
  }

  @Test
  void releasesByExpiry() {
    caught(
        "releases-by-expiry",
        "EX-7",
        "release says that it freed the lock, and leaves that to the TTL",
        claims(
            (inner, request, signals) ->
                new Truthful.Claim(inner, request) {
                  @Override
                  public CompletionStage<ReleaseAnswer> release() {
                    return CompletableFuture.completedFuture(ReleaseAnswer.FREED);
                  }
                }));
  }

  @Test
  void blocksItsCaller() {
    caught(
        "blocks-its-caller",
        "WT-1",
        "an attempt waits for the lock inside the backend, and no limit reaches it",
        claims(
            (inner, request, signals) ->
                new Truthful.Claim(inner, request) {
                  @Override
                  public CompletionStage<Attempt> attempt() {
                    CompletionStage<Attempt> answer = inner.attempt();
                    if (answer.toCompletableFuture().join() instanceof Attempt.Contended) {
                      long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
                      while (System.nanoTime() - end < 0) {
                        LockSupport.parkNanos(1_000_000);
                      }
                    }
                    return answer;
                  }
                }));
  }

  @Test
  void boasts() {
    caught(
        "boasts",
        "CP-1",
        "the capabilities name a promise that is not kept",
        (inner, server) ->
            new Truthful(inner) {
              @Override
              public Capabilities capabilities() {
                Capabilities told = inner.capabilities();
                return new Capabilities(
                    Capabilities.Fencing.THROUGH_DATA_LOSS,
                    told.lifetime(),
                    told.ordering(),
                    told.wakeUp(),
                    told.expiryClock(),
                    told.scope(),
                    told.survival(),
                    told.inspection());
              }
            });
  }

  @Test
  void evictsAnybody() {
    caught(
        "evicts-anybody",
        "IN-6",
        "a lock is taken away without looking whose it is",
        (inner, server) ->
            new Truthful(inner) {
              @Override
              public Optional<LockInspection> inspection() {
                return inner
                    .inspection()
                    .map(
                        told ->
                            new Inspection(told) {
                              @Override
                              public CompletionStage<Boolean> evict(LockHolder holder) {
                                return CompletableFuture.completedFuture(
                                    server.revoke(holder.lockName()));
                              }
                            });
              }
            });
  }

  @Test
  void madeUpTokens() {
    caught(
        "no-tokens",
        "FN-1",
        "the token is zero, as if there were none",
        claims(
            (inner, request, signals) ->
                new Truthful.Claim(inner, request) {
                  @Override
                  public CompletionStage<Attempt> attempt() {
                    return grantedAs(inner, granted -> new Attempt.Granted(0, request.ttl()));
                  }
                }));
  }

  @Test
  void takesOverEarly() {
    caught(
        "takes-over-early",
        "EX-4",
        "a holder that did not renew for a moment is thought dead",
        (inner, server) ->
            new Truthful(inner) {
              @Override
              public LockClaim claim(ClaimRequest request, ClaimSignals signals) {
                return new Claim(inner.claim(request, signals), request) {
                  @Override
                  public CompletionStage<Attempt> attempt() {
                    server.revoke(request.lockName());
                    return inner.attempt();
                  }
                };
              }
            });
  }

  @Test
  void remembersTheTtl() {
    Map<String, Duration> longest = new ConcurrentHashMap<>();
    caught(
        "remembers-the-ttl",
        "LT-10",
        "the time of an earlier lease is that of the next one, too",
        (inner, server) ->
            new Truthful(inner) {
              @Override
              public LockClaim claim(ClaimRequest request, ClaimSignals signals) {
                Duration ttl =
                    longest.merge(
                        request.lockName(),
                        request.ttl(),
                        (before, now) -> before.compareTo(now) > 0 ? before : now);
                return super.claim(
                    new ClaimRequest(request.lockName(), request.ownerId(), ttl), signals);
              }
            });
  }

  @Test
  void forgetsTheOldest() {
    Queue<String> names = new ConcurrentLinkedQueue<>();
    caught(
        "forgets-the-oldest",
        "LC-12",
        "a table of locks that is full forgets one that is held",
        (inner, server) ->
            new Truthful(inner) {
              @Override
              public LockClaim claim(ClaimRequest request, ClaimSignals signals) {
                names.add(request.lockName());
                if (names.size() > 500) {
                  server.revoke(names.remove());
                }
                return super.claim(request, signals);
              }
            });
  }
}
