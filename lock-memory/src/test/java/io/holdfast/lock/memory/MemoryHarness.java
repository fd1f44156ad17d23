/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Retry;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.testsupport.Records;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;

/** A server on a clock driven by hand, whose clients call back on the thread that drives it. */
final class MemoryHarness implements AutoCloseable {

  static final LockOptions TEN_SECONDS =
      LockOptions.defaults()
          .withTtl(Duration.ofSeconds(10))
          .withRetry(Retry.defaults().withJitter(0));

  /** Between two tries to give back what could not be given back. */
  private static final Duration LONGER_THAN_A_PAUSE = Duration.ofSeconds(2);

  private static final ClientOptions OPTIONS =
      ClientOptions.defaults().withCallbackExecutor(Runnable::run);

  final ManualTime time = at(Duration.ofHours(1));
  final MemoryServer server = new MemoryServer(time);
  final List<LockEvent> events = new ArrayList<>();
  private final List<LockClient> clients = new ArrayList<>();

  /** No clock stands at zero, where a sum is as good as a difference. */
  static ManualTime at(Duration begin) {
    ManualTime time = new ManualTime();
    time.advance(begin);
    return time;
  }

  LockClient client() {
    return opened(server.open(OPTIONS));
  }

  /** One whose names stay taken after a lease by the server, by the client, or not at all. */
  LockClient keeping(Retention retention) {
    return retention == Retention.SERVER ? client() : client(retention);
  }

  /** One whose backend keeps less after a lease than a memory server does. */
  LockClient client(Retention retention) {
    return altered(Records.with(server.backend().capabilities(), retention), false);
  }

  /** One that asks for several locks at once. */
  LockClient togetherClient() {
    return altered(server.backend().capabilities(), true);
  }

  private LockClient altered(Capabilities capabilities, boolean decidesTogether) {
    return opened(
        Locks.using(
            new ForwardingBackend(server) {
              @Override
              public Capabilities capabilities() {
                return capabilities;
              }

              @Override
              public boolean decidesTogether() {
                return decidesTogether;
              }
            },
            OPTIONS.withTime(time)));
  }

  /** One that is not told that it is worth while to ask again. */
  LockClient deafClient() {
    return opened(
        Locks.using(
            new ForwardingBackend(server) {
              @Override
              public RenewableClaim claim(ClaimRequest request, ClaimSignals signals) {
                return super.claim(request, new Deaf());
              }
            },
            OPTIONS.withTime(time)));
  }

  /** One whose server does not let it set the end of a lock. */
  LockClient refusingClient() {
    return ending(
        (claim, left) ->
            CompletableFuture.failedFuture(new LockRejectedException("Not permitted")));
  }

  /** One that finds out late that it cannot send when a lock is to end. */
  LockClient neverSendingClient() {
    return ending(
        (claim, left) ->
            CompletableFuture.completedFuture(
                new RenewalAnswer.Unknown(new LockUnavailableException("Not sent"))));
  }

  /** One that does something more once it has sent when a lock is to end. */
  LockClient clientThatSendsAnEndAndThen(Runnable next) {
    return ending(
        (claim, left) -> {
          CompletionStage<RenewalAnswer> sent = claim.expireIn(left);
          next.run();
          return sent;
        });
  }

  /** One that has no answer when it releases that lock for the first time. */
  LockClient unansweredClient(String lockName) {
    AtomicBoolean answered = new AtomicBoolean();
    return opened(
        Locks.using(
            new ForwardingBackend(server) {
              @Override
              public RenewableClaim claim(ClaimRequest request, ClaimSignals signals) {
                RenewableClaim claim = super.claim(request, signals);
                return request.lockName().equals(lockName) ? unanswered(claim, answered) : claim;
              }
            },
            OPTIONS.withTime(time)));
  }

  private static RenewableClaim unanswered(RenewableClaim claim, AtomicBoolean answered) {
    return new ForwardingBackend.Claim(claim) {
      @Override
      public CompletionStage<ReleaseAnswer> release() {
        return answered.getAndSet(true)
            ? inner.release()
            : CompletableFuture.failedFuture(new LockUnavailableException("No answer"));
      }
    };
  }

  private LockClient ending(
      BiFunction<RenewableClaim, Duration, CompletionStage<RenewalAnswer>> ending) {
    return opened(
        Locks.using(
            new ForwardingBackend(server) {
              @Override
              public RenewableClaim claim(ClaimRequest request, ClaimSignals signals) {
                return new Claim(super.claim(request, signals)) {
                  @Override
                  public CompletionStage<RenewalAnswer> expireIn(Duration left) {
                    return ending.apply(inner, left);
                  }
                };
              }
            },
            OPTIONS.withTime(time)));
  }

  private LockClient opened(LockClient client) {
    client.addListener(events::add);
    clients.add(client);
    return client;
  }

  DistributedLock lock(String name) {
    return client().lock(name, TEN_SECONDS);
  }

  static Lease granted(CompletableFuture<Lease> future) {
    if (!future.isDone()) {
      throw new AssertionError("not granted yet");
    }
    return future.join();
  }

  long count(Class<? extends LockEvent> type) {
    return events.stream().filter(type::isInstance).count();
  }

  /** The names of the locks that are taken at the server. */
  Set<String> taken() {
    return server.owners().keySet();
  }

  /**
   * A close waits for answers, in real time, which a clock that stands still never brings: those
   * that were delayed, and those to what the client repeats until the server has answered.
   */
  @Override
  public void close() {
    server.comeBack();
    server.delayRequests(Duration.ZERO);
    server.delayAnswers(Duration.ZERO);
    time.advance(LONGER_THAN_A_PAUSE);
    clients.forEach(LockClient::close);
  }
}
