/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.ClientStatus;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockInspector;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.health.HealthCheck;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.spi.ClientLibrary;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import io.holdfast.lock.spi.support.LockNames;
import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A client: the parts of the engine around one backend, from open to close. */
public final class EngineClient implements LockClient {

  final LockBackend<LockClaim> backend;
  final TimeSource time;
  final Callbacks callbacks;
  final Events events;
  final OwnerIds ownerIds;
  final Renewals renewals;
  final OutageLog outages;
  final Cleanup cleanup;
  final ReleaseBackoff releaseBackoff;
  final ThreadLocks threadLocks = new ThreadLocks();

  private final Capabilities capabilities;
  private final LockOptions lockOptions;
  private final OptionalInt permits;
  private final Duration blockingTimeout;
  private final LocalQueues queues = new LocalQueues(this);
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CompletableFuture<Void> idle = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  private EngineClient(LockBackend<?> backend, ClientOptions options) {
    this.backend = withItsOwnClaims(backend);
    this.capabilities = backend.capabilities();
    this.blockingTimeout = backend.operationTimeout().multipliedBy(2);
    this.lockOptions = options.lockOptions().orElseGet(LockOptions::defaults);
    this.permits = options.permits();
    this.time = BorrowedTime.of(options);
    this.callbacks = new Callbacks(options.callbackExecutor(), time);
    this.events = new Events(callbacks);
    this.ownerIds = new OwnerIds(options.clientName());
    this.renewals = new Renewals(this.backend, time);
    this.outages = new OutageLog(time, ownerIds.clientName());
    this.releaseBackoff = new ReleaseBackoff(capabilities.ordering());
    this.cleanup = new Cleanup(time, backend.operationTimeout(), capabilities.lifetime());
  }

  /** The engine renews no other claims than those that this backend has made and granted. */
  @SuppressWarnings("unchecked")
  private static LockBackend<LockClaim> withItsOwnClaims(LockBackend<?> backend) {
    return (LockBackend<LockClaim>) backend;
  }

  /**
   * Puts a client on a backend.
   *
   * @param backend open; closed with the client
   * @param options what the client takes from its surroundings
   * @return an open client
   */
  public static LockClient open(LockBackend<?> backend, ClientOptions options) {
    Objects.requireNonNull(backend, "backend");
    Objects.requireNonNull(options, "options");
    return new EngineClient(backend, options);
  }

  /**
   * Opens a client of a provider: connects, and checks what can be checked.
   *
   * @param provider whose libraries are checked first
   * @param settings its settings
   * @param options what the client takes from its surroundings
   * @return an open client
   * @throws io.holdfast.lock.LockException as {@link LockProvider#open}
   */
  public static LockClient open(LockProvider provider, Settings settings, ClientOptions options) {
    return open(ClientLibrary.opening(provider, () -> provider.open(settings)), options);
  }

  @Override
  public DistributedLock lock(String name) {
    return lock(name, lockOptions);
  }

  @Override
  public DistributedLock lock(String name, LockOptions options) {
    checkOpen(name, options);
    return new EngineLock(this, List.of(name), options, Share.LOCK);
  }

  @Override
  public DistributedReadWriteLock readWriteLock(String name) {
    return readWriteLock(name, lockOptions);
  }

  @Override
  public DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
    checkOpen(name, options);
    return EngineReadWriteLock.of(this, name, options);
  }

  @Override
  public DistributedSemaphore semaphore(String name) {
    checkOpen(name, lockOptions);
    return semaphore(
        name,
        permits.orElseThrow(
            () ->
                new LockConfigurationException(
                    "Semaphore '%s' was asked for without a number of permits, and the client was opened without one: set 'permits' of its scenario, or give the number"
                        .formatted(VisibleText.of(name)))));
  }

  @Override
  public DistributedSemaphore semaphore(String name, int permits) {
    return semaphore(name, permits, lockOptions);
  }

  @Override
  public DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
    checkOpen(name, options);
    return new EngineSemaphore(new EngineLock(this, List.of(name), options, Share.of(1, permits)));
  }

  private void checkOpen(String name, LockOptions options) {
    LockNames.check(name);
    Objects.requireNonNull(options, "options");
    if (closed.get()) {
      throw closedAlready(name);
    }
  }

  /** Refuses what is asked of a closed client. */
  void checkOpen() {
    if (closed.get()) {
      throw new LockClosedException("The lock client is closed; open another");
    }
  }

  @Override
  public DistributedLock allOf(Collection<String> names) {
    return allOf(names, lockOptions);
  }

  @Override
  public DistributedLock allOf(Collection<String> names, LockOptions options) {
    List<String> sorted = names.stream().map(LockNames::check).distinct().sorted().toList();
    Objects.requireNonNull(options, "options");
    if (sorted.isEmpty()) {
      throw new IllegalArgumentException("names must not be empty");
    }
    if (closed.get()) {
      throw closedAlready(String.join(", ", sorted));
    }
    return new EngineLock(this, sorted, options, Share.LOCK);
  }

  @Override
  public LockClient within(String prefix) {
    return new PrefixedClient(this, LockNames.check("prefix", prefix) + ":");
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  @Override
  public LockInspector inspector() {
    return inspector("");
  }

  /** Of the locks whose names begin so. */
  LockInspector inspector(String prefix) {
    checkOpen();
    return new EngineInspector(
        new BlockingCalls(this),
        backend
            .inspection()
            .orElseThrow(
                () ->
                    new UnsupportedOperationException(
                        "This backend cannot say who holds its locks; see LockClient.capabilities().inspection()")),
        capabilities.sharing(),
        prefix);
  }

  @Override
  public List<ServerReport> examine(Duration ttl) {
    LockOptions.checkTtl(ttl);
    checkOpen();
    if (!(backend instanceof HealthCheck check)) {
      return List.of();
    }
    return List.copyOf(
        new BlockingCalls(this).ask("Checking the servers", () -> check.examine(ttl)));
  }

  @Override
  public ClientStatus status() {
    return status("");
  }

  /** With the locks whose names begin so. */
  ClientStatus status(String prefix) {
    return outages.status(queues.status(prefix));
  }

  @Override
  public Subscription addListener(LockListener listener) {
    return events.add(Objects.requireNonNull(listener, "listener"));
  }

  Acquisition acquire(
      String name, Share share, LockOptions options, RenewalTerms terms, Wait wait) {
    if (closed.get()) {
      throw closedAlready(name);
    }
    Acquisition acquisition =
        new Acquisition(this, queues.enter(name), share, options, terms, wait);
    acquisition.begin();
    return acquisition;
  }

  /** Of several names, in their natural order. */
  MultiLockAcquisition acquireAll(
      List<String> names, LockOptions options, RenewalTerms terms, Wait wait) {
    if (closed.get()) {
      throw closedAlready(String.join(", ", names));
    }
    MultiLockAcquisition acquisition = new MultiLockAcquisition(this, names, options, terms, wait);
    acquisition.begin();
    return acquisition;
  }

  /** The leases of a lock that this thread has asked for itself, and holds. */
  List<LeaseLife> heldBy(Thread thread, String name) {
    return queues.heldBy(thread, name);
  }

  /** One acquisition or lease less needs the queue. */
  void leave(LocalQueue queue) {
    queues.leave(queue);
    if (closed.get() && queues.isEmpty()) {
      idle.complete(null);
    }
  }

  long nextNumber() {
    return numbers.incrementAndGet();
  }

  boolean isClosed() {
    return closed.get();
  }

  /** Not where the end of a lease is the end of a transaction. */
  boolean passesOn() {
    return capabilities.lifetime() != Capabilities.Lifetime.TRANSACTION;
  }

  /** The backend's way to keep a name taken after its lease has ended. */
  Capabilities.Retention retention() {
    return capabilities.retention();
  }

  /** How long a blocking call waits for a backend that breaks its own deadline. */
  Duration blockingTimeout() {
    return blockingTimeout;
  }

  /** The outcome of a release, for a blocking caller. */
  ReleaseOutcome outcome(CompletableFuture<ReleaseOutcome> release) {
    return Blocking.settles(release, blockingTimeout) ? release.join() : ReleaseOutcome.UNKNOWN;
  }

  /**
   * For the user's thread: the same result, completed where user code may run. A result that is
   * known is there at once, for users who ask and do not wait.
   *
   * @return a future of this caller alone, which nobody else can complete or cancel
   */
  <T> CompletableFuture<T> onCallbacks(CompletableFuture<T> inner) {
    CompletableFuture<T> outer = new CompletableFuture<>();
    Executor where = inner.isDone() ? Runnable::run : callbacks;
    inner.whenComplete(
        (value, failure) -> where.execute(() -> EngineLock.forward(outer, value, failure)));
    return outer;
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      Blocking.settles(ended, blockingTimeout().multipliedBy(2));
      return;
    }
    queues.close();
    renewals.held().forEach(tenure -> tenure.lose(LossReason.CLIENT_CLOSED));
    if (queues.isEmpty()) {
      idle.complete(null);
    }
    Blocking.settles(idle, blockingTimeout());
    Blocking.settles(cleanup.resolved(), backend.operationTimeout());
    cleanup.end();
    try {
      backend.close();
    } finally {
      time.close();
      callbacks.close();
      ended.complete(null);
    }
  }

  private static LockClosedException closedAlready(@Nullable String name) {
    return new LockClosedException(
        "Lock '" + name + "' was asked for, but the lock client is closed; open another");
  }
}
