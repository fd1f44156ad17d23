/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.Retry;
import io.holdfast.lock.Share;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ServerGroup;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.tck.Bound;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.Measured;
import io.holdfast.lock.tck.ServerFaultCatalog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The tools of a rule: clients, links, servers, workers and threads, besides its checks and waits.
 * Closes all of it at the end.
 */
public final class RuleContext extends RuleChecks implements AutoCloseable {

  /** How much longer an answer takes from far away. */
  private static final Duration FAR = Duration.ofMillis(4);

  private static final String NO_LINK = "no link to this backend can be broken";

  private final Fixture fixture;
  private final String rule;
  private final Consumer<Measured> figures;
  private final String mark = Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), 36);
  private final ConcurrentLinkedDeque<AutoCloseable> opened = new ConcurrentLinkedDeque<>();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "tck-thread");
            thread.setDaemon(true);
            return thread;
          });

  public RuleContext(Fixture fixture, String rule, Consumer<Measured> figures) {
    this.fixture = fixture;
    this.rule = rule;
    this.figures = figures;
  }

  /** The backend under test. */
  public Fixture fixture() {
    return fixture;
  }

  /** Its promises. */
  public Capabilities promises() {
    return fixture.promises();
  }

  /** Whether leases end with the connection over which they were granted. */
  public boolean isBoundToConnection() {
    return ServerFaultCatalog.needsConnections(promises().lifetime());
  }

  /** A lock name that no other rule uses. */
  public String name() {
    return "tck-" + rule + "-" + mark;
  }

  /** Short TTL, quick polls. */
  public LockOptions options() {
    return quickPolls().withTtl(fixture.timing().ttl());
  }

  static LockOptions quickPolls() {
    return LockOptions.defaults()
        .withRetry(Retry.defaults().withPauses(Duration.ofMillis(20), Duration.ofMillis(200)));
  }

  /** Quick polls, and a TTL so long that it cleans nothing up within a rule. */
  public LockOptions longTtl() {
    return options().withTtl(Duration.ofMinutes(1));
  }

  /**
   * Polls so slow, and a TTL so long (a server may tell waiters when it ends), that only a message
   * can be quick.
   */
  public LockOptions slowPolls() {
    return options()
        .withTtl(Duration.ofMinutes(1))
        .withRetry(
            Retry.defaults()
                .withJitter(0)
                .withPauses(Duration.ofSeconds(20), Duration.ofSeconds(20)));
  }

  /** The same where a release is told by a message; quick polls where none is promised. */
  public LockOptions wakeable() {
    return promises().wakeUp() == Capabilities.WakeUp.MESSAGE ? slowPolls() : longTtl();
  }

  /** Renewed so often that no interruption worth the name falls between two renewals. */
  public LockOptions oftenRenewed() {
    return options().withRenewal(Renewal.every(ttl().dividedBy(20)));
  }

  public Duration ttl() {
    return fixture.timing().ttl();
  }

  public Duration freeAfterDeath() {
    return fixture.timing().freeAfterDeath();
  }

  /** A client straight to the server. */
  public LockClient client() {
    return client(ClientOptions.defaults());
  }

  public LockClient client(ClientOptions options) {
    return closing(taking(fixture.open(options)));
  }

  /** A client over a link that can be broken. */
  public LockClient client(TcpProxy link) {
    return closing(taking(Locks.open(settings(link))));
  }

  /** A client whose locks are what the fixture says. */
  private LockClient taking(LockClient client) {
    return fixture.share().equals(Share.LOCK)
        ? client
        : new WholeShareClient(client, fixture.share(), this);
  }

  /** A link over which answers take a while, so that something can happen meanwhile. */
  Optional<TcpProxy> farLink() {
    Optional<TcpProxy> link = fixture.link().map(this::closing);
    link.ifPresent(far -> far.delay(Direction.TO_CLIENT, FAR));
    return link;
  }

  /** A client over a link, or straight to a server to which there is none. */
  LockClient client(Optional<TcpProxy> link) {
    return link.map(this::client).orElseGet(this::client);
  }

  /** The same with patience for answers that take long. */
  public LockClient patientClient(TcpProxy link) {
    Map<String, String> settings = new HashMap<>(settings(link));
    settings.put("command-timeout", "20s");
    return closing(taking(Locks.open(settings)));
  }

  public Map<String, String> settings(TcpProxy link) {
    return fixture.settings(link).orElseThrow(() -> skipped(NO_LINK));
  }

  /** Settings for clients in this and other JVMs. */
  public Map<String, String> settings() {
    return new HashMap<>(
        fixture.settings().orElseThrow(() -> skipped("opened by code, not by settings")));
  }

  /** A link to the server. */
  public TcpProxy link() {
    return closing(fixture.link().orElseThrow(() -> skipped(NO_LINK)));
  }

  public Server server() {
    return fixture.server().orElseThrow(() -> skipped("there is no server that may be stopped"));
  }

  /** The server that decides for several, until it fails. */
  public Server leader() {
    return fixture.leader().orElseThrow(() -> skipped("no server decides for others"));
  }

  /** The leader of several servers, of which one may fail, or the first where they have none. */
  public Server oneOfSeveral() {
    if (promises().survival() == Capabilities.Survival.MINORITY) {
      Optional<Server> leader = fixture.leader();
      if (leader.isPresent()) {
        return leader.get();
      }
      if (server() instanceof ServerGroup group && group.servers().size() > 1) {
        return group.servers().get(0);
      }
    }
    throw skipped("there are not several servers, one of which may fail");
  }

  /** Another JVM. */
  public Worker worker() {
    return worker(Map.of());
  }

  /** Another JVM, with an environment of its own. */
  public Worker worker(Map<String, String> environment) {
    Worker worker = closing(Worker.start(settings(), environment));
    if (!fixture.share().equals(Share.LOCK)) {
      worker.ask("as " + WholeShareClient.words(fixture.share()));
    }
    return worker;
  }

  public <T extends AutoCloseable> T closing(T resource) {
    opened.push(resource);
    return resource;
  }

  /** Of two grants, one after the other; where there are no tokens, nothing is checked. */
  public void checkTokenGrows(Lease before, Lease next) {
    if (promises().fencing() != Capabilities.Fencing.NONE) {
      checkTokenGrows(before.fencingToken(), next.fencingToken());
    }
  }

  /** Of two tokens, one after the other. */
  public void checkTokenGrows(long before, long next) {
    check(
        next > before,
        "expected a token greater than %d, the one before, but found %d".formatted(before, next));
  }

  /** Hands a figure to the report: what began at that time has ended now. */
  public void measured(Bound bound, long begunNanos) {
    measured(bound, begunNanos, Optional.empty());
  }

  /** The same of what is promised to end within a time. */
  public void measured(Bound bound, long begunNanos, Duration promised) {
    measured(bound, begunNanos, Optional.of(promised));
  }

  private void measured(Bound bound, long begunNanos, Optional<Duration> promised) {
    Duration took = Duration.ofNanos(System.nanoTime() - begunNanos);
    figures.accept(new Measured(bound, took, promised));
  }

  /** Waits until nothing of this rule's locks is at the backend. */
  public void awaitNothingLeft(Duration within) {
    await(
        () -> "nothing left at the backend, but there is " + residue(),
        within,
        () -> residue().isEmpty());
  }

  /** The entries of this rule's locks at the backend. */
  public List<String> residue() {
    if (!fixture.seesResidue()) {
      throw skipped("nobody can look at what is left behind");
    }
    return fixture.residue().stream().filter(entry -> entry.contains(mark)).toList();
  }

  /** The same as the end of a sentence, where that can be seen. */
  String atTheServer() {
    return fixture.seesResidue() ? "; at the server there is " + residue() : "";
  }

  /** Runs a task on a thread of its own. */
  public <T> Future<T> start(Callable<T> task) {
    return threads.submit(task);
  }

  /** Runs a task many times at once, begun together; answers or throws what they did. */
  public <T> List<T> together(int count, Callable<T> task) {
    CountDownLatch ready = new CountDownLatch(count);
    List<Future<T>> futures = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      futures.add(
          start(
              () -> {
                ready.countDown();
                ready.await();
                return task.call();
              }));
    }
    return futures.stream().map(future -> get(future, Duration.ofSeconds(50))).toList();
  }

  /** Watches a lease until it is not valid any more; answers the last moment at which it was. */
  public Future<Long> lastValid(Lease lease) {
    return start(
        () -> {
          long last = System.nanoTime();
          while (true) {
            long now = System.nanoTime();
            if (!lease.isValid()) {
              return last;
            }
            last = now;
            LockSupport.parkNanos(200_000);
          }
        });
  }

  @Override
  public void close() {
    for (AutoCloseable resource : opened) {
      try {
        resource.close();
      } catch (Exception e) {
        throw new AssertionError("expected %s to close, but it failed".formatted(resource), e);
      }
    }
    threads.shutdownNow();
  }
}
