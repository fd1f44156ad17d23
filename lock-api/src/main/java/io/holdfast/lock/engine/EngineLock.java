/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.JavaLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockUpgradeException;
import io.holdfast.lock.Reentry;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import io.holdfast.lock.text.TimeText;
import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lock by name, or by several: turns the callers' forms of asking into {@link Acquisition}s. */
final class EngineLock implements DistributedLock {

  private static final Logger LOG = LoggerFactory.getLogger(EngineLock.class);
  private static final Duration WARN_AFTER = Duration.ofSeconds(1);

  private final EngineClient client;
  private final List<String> names;
  private final String name;
  private final LockOptions options;
  private final RenewalTerms terms;
  private final Share share;

  /**
   * A lock of one name or of several.
   *
   * @param names in their natural order, each once; of a share that is no lock, one
   */
  EngineLock(EngineClient client, List<String> names, LockOptions options, Share share) {
    this.share = share;
    this.client = client;
    this.names = names;
    this.name = joined(", ");
    this.options = options;
    BackendSupport.check(name, options.holdTimes(), client.retention());
    BackendSupport.check(name, share, client.capabilities().sharing());
    this.terms = RenewalTerms.of(options, client.capabilities().lifetime());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public LockOptions options() {
    return options;
  }

  @Override
  public EngineLock with(LockOptions newOptions) {
    return new EngineLock(client, names, Objects.requireNonNull(newOptions, "options"), share);
  }

  @Override
  public Share share() {
    return share;
  }

  /** The same name, for another share of its capacity. */
  EngineLock asking(Share other) {
    return new EngineLock(client, names, options, other);
  }

  @Override
  public Optional<Lease> tryAcquire() throws InterruptedException {
    return blocking(Wait.NONE);
  }

  @Override
  public Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException {
    return blocking(Wait.atMost(maxWait));
  }

  @Override
  public Lease acquire() throws InterruptedException {
    return acquired(Wait.UNLIMITED);
  }

  @Override
  public Lease acquire(Duration maxWait) throws InterruptedException {
    return acquired(Wait.atMost(maxWait));
  }

  @Override
  public CompletableFuture<Optional<Lease>> tryAcquireAsync() {
    return async(Wait.NONE, lease -> lease);
  }

  @Override
  public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration maxWait) {
    return async(Wait.atMost(maxWait), lease -> lease);
  }

  @Override
  public CompletableFuture<Lease> acquireAsync() {
    return async(Wait.UNLIMITED, lease -> lease.orElseThrow(() -> timedOut(Wait.UNLIMITED)));
  }

  @Override
  public CompletableFuture<Lease> acquireAsync(Duration maxWait) {
    Wait wait = Wait.atMost(maxWait);
    return async(wait, lease -> lease.orElseThrow(() -> timedOut(wait)));
  }

  @Override
  public <E extends Exception> void run(LeaseAction<E> body) throws E, InterruptedException {
    Objects.requireNonNull(body, "body");
    this.<Lease, E>call(
        lease -> {
          body.run(lease);
          return lease;
        });
  }

  @Override
  public <T, E extends Exception> T call(LeaseFunction<T, E> body) throws E, InterruptedException {
    Objects.requireNonNull(body, "body");
    EngineLease lease = acquired(Wait.UNLIMITED);
    T result;
    try {
      result = body.call(lease);
    } catch (Throwable thrown) {
      if (lease.discard() == ReleaseOutcome.ALREADY_LOST) {
        thrown.addSuppressed(lostMeanwhile(lease));
      }
      throw thrown;
    }
    if (lease.release() == ReleaseOutcome.ALREADY_LOST) {
      throw lostMeanwhile(lease);
    }
    return result;
  }

  @Override
  public JavaLock asJavaLock() {
    return new ThreadLock(this, client.threadLocks);
  }

  /** Its names as one. No name has half of a surrogate pair, so no other lock has this key. */
  String key() {
    return joined("\uD800");
  }

  private String joined(String separator) {
    return names.size() == 1 ? names.get(0) : String.join(separator, names);
  }

  /** Waits through interrupts, which stay set. */
  Optional<Lease> uninterruptibly(Wait wait) {
    CallSite origin = asking(wait);
    LeaseRequest<?> acquisition = ask(wait);
    if (wait.waits() && !Blocking.settles(acquisition.result(), WARN_AFTER)) {
      warnIfOwn(origin);
    }
    return Blocking.awaitUninterruptibly(acquisition.result())
        .map(granted -> granted.given(origin));
  }

  Optional<Lease> blocking(Wait wait) throws InterruptedException {
    return held(wait).map(lease -> lease);
  }

  private EngineLease acquired(Wait wait) throws InterruptedException {
    return held(wait).orElseThrow(() -> timedOut(wait));
  }

  private Optional<EngineLease> held(Wait wait) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    CallSite origin = asking(wait);
    LeaseRequest<?> acquisition = ask(wait);
    try {
      if (wait.waits() && !Blocking.isDoneWithin(acquisition.result(), WARN_AFTER)) {
        warnIfOwn(origin);
      }
      return Blocking.await(acquisition.result()).map(granted -> granted.given(origin));
    } catch (InterruptedException e) {
      acquisition.abandon();
      throw e;
    }
  }

  /**
   * The place of the caller, who is refused if it would wait for itself and does not want that; or
   * if it is a reader that wants to be a writer, which nobody can want.
   */
  private CallSite asking(Wait wait) {
    CallSite origin = CallSite.here();
    if (share.mode() == Share.Mode.WRITE || (wait.waits() && options.reentry() == Reentry.REFUSE)) {
      own(origin)
          .ifPresent(
              own -> {
                if (own.share.mode() == Share.Mode.READ && share.mode() == Share.Mode.WRITE) {
                  throw upgrade(own.origin(), origin);
                }
                if (wait.waits() && options.reentry() == Reentry.REFUSE) {
                  throw new IllegalStateException(
                      "A thread would wait for a lock that it holds: " + places(own, origin));
                }
              });
    }
    return origin;
  }

  /** A lease that the thread itself holds, and that leaves no room for this share. */
  private Optional<LeaseLife> own(CallSite origin) {
    return names.stream().flatMap(one -> own(origin, one).stream()).findFirst();
  }

  private List<LeaseLife> own(CallSite origin, String one) {
    List<LeaseLife> held =
        client.heldBy(origin.thread(), one).stream()
            .filter(own -> own.share.capacity() == share.capacity())
            .toList();
    long permits = share.permits();
    for (LeaseLife own : held) {
      permits += own.share.permits();
    }
    return permits > share.capacity() ? held : List.of();
  }

  private void warnIfOwn(CallSite origin) {
    own(origin)
        .ifPresent(
            own -> LOG.warn("A thread waits for a lock that it holds: {}", places(own, origin)));
  }

  private LockUpgradeException upgrade(@Nullable CallSite read, CallSite write) {
    return new LockUpgradeException(
        ("The thread that reads under lock '%s' asks to write: read lease acquired at %s, write lease"
                + " asked for at %s. Release the read lease first, or acquire the write side from the"
                + " start and downgrade it")
            .formatted(VisibleText.of(name), read, write));
  }

  /** Where a thread acquired a lock, and where it asks for it again. */
  private static String places(LeaseLife own, CallSite origin) {
    return ("lock '%s' was acquired at %s and is asked for again at %s. Only another thread can end"
            + " the wait, by releasing the lease; asJavaLock() is reentrant")
        .formatted(VisibleText.of(own.tenure.lockName), own.origin(), origin);
  }

  private LeaseRequest<?> ask(Wait wait) {
    return names.size() == 1
        ? client.acquire(name, share, options, terms, wait)
        : client.acquireAll(names, options, terms, wait);
  }

  private <T> CompletableFuture<T> async(Wait wait, Function<Optional<Lease>, T> shape) {
    LeaseRequest<?> acquisition = ask(wait);
    CompletableFuture<T> outer = new CompletableFuture<>();
    acquisition
        .result()
        .<T>thenApply(granted -> shape.apply(granted.map(given -> given.given(null))))
        .whenComplete(
            (value, failure) ->
                client.callbacks.execute(
                    () -> {
                      if (!forward(outer, value, failure)) {
                        acquisition.abandon();
                      }
                    }));
    outer.whenComplete(
        (value, failure) -> {
          if (!acquisition.result().isDone()) {
            acquisition.abandon();
          }
        });
    return outer;
  }

  /** Completes one future as another was; false if somebody else has completed it before. */
  static <T> boolean forward(
      CompletableFuture<T> outer, @Nullable T value, @Nullable Throwable failure) {
    if (failure == null) {
      return outer.complete(value);
    }
    Throwable cause = failure.getCause();
    return outer.completeExceptionally(cause instanceof LockException ? cause : failure);
  }

  private LockTimeoutException timedOut(Wait wait) {
    return new LockTimeoutException(
        wait.limit()
            .map(limit -> "Lock '%s' was not granted within %s".formatted(name, TimeText.of(limit)))
            .orElse("Lock '%s' was not granted in any of the attempts allowed".formatted(name)));
  }

  private static LockLostException lostMeanwhile(Lease lease) {
    return new LockLostException(
        "Lock '%s' was lost while its work continued (lease %s)"
            .formatted(lease.lockName(), lease.ownerId()));
  }
}
