/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.config.ScenarioLocks;
import io.holdfast.lock.config.Scenarios;
import io.holdfast.lock.worker.LeaderElection;
import io.holdfast.lock.worker.LockWorker;
import io.holdfast.lock.worker.Work;
import io.holdfast.lock.worker.WorkerOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/**
 * The elections in which this application stands: one for each {@link Leads}. Also starts and stops
 * beans of type {@link LeaderElection} and {@link LockWorker} with the application: after all that
 * they may use, and before it.
 */
public final class Leaders implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(Leaders.class);

  /** Before the web server takes requests; and stopped when it takes none any more. */
  static final int PHASE = Integer.MAX_VALUE - 8192;

  private final ListableBeanFactory beans;
  private final ObjectProvider<LockClient> client;
  private final ObjectProvider<Scenarios> scenarios;
  private final Map<String, LeaderElection> elections = new TreeMap<>();

  /** Of workers and elections: when the last stop is complete. */
  private final Map<Object, CompletableFuture<Void>> ends = new ConcurrentHashMap<>();

  private volatile boolean running;

  Leaders(
      ListableBeanFactory beans,
      ObjectProvider<LockClient> client,
      ObjectProvider<Scenarios> scenarios) {
    this.beans = beans;
    this.client = client;
    this.scenarios = scenarios;
  }

  /** Looks for the work that is to be led; the lock servers are not asked yet. */
  void find() {
    for (String name : beans.getBeanNamesForType(Work.class)) {
      Leads leads = beans.findAnnotationOnBean(name, Leads.class);
      if (leads != null) {
        LeaderElection election = election(leads, beans.getBean(name, Work.class));
        if (elections.putIfAbsent(leads.value(), election) != null) {
          throw new IllegalStateException(
              "Two beans lead '%s', one of them is '%s'. An application stands once in an election"
                  .formatted(leads.value(), name));
        }
      }
    }
  }

  private LeaderElection election(Leads leads, Work work) {
    if (leads.scenario().isEmpty()) {
      LockClient usual = client.getObject();
      return new LeaderElection(
          usual, leads.value(), work, options(leads, usual.lock(leads.value()).options()));
    }
    ScenarioLocks locks = scenarios.getObject().forScenario(leads.scenario());
    return new LeaderElection(
        locks.client(), leads.value(), work, options(leads, locks.scenario().options()));
  }

  private static WorkerOptions options(Leads leads, LockOptions terms) {
    WorkerOptions defaults = WorkerOptions.defaults();
    return new WorkerOptions(
        leads.value(),
        terms,
        terms.ttl().dividedBy(5),
        defaults.pause(),
        defaults.stopAtShutdown(),
        defaults.time());
  }

  /**
   * Whether this application leads. Does not ask the server.
   *
   * @param election the name in {@link Leads}
   * @return false also on the first look after the process was suspended for too long
   * @throws IllegalArgumentException if it does not stand in this election
   */
  public boolean isLeader(String election) {
    return get(election).isLeader();
  }

  /**
   * Who leads, as the server says.
   *
   * @param election the name in {@link Leads}
   * @return empty if nobody does
   * @throws IllegalArgumentException if this application does not stand in this election
   */
  public Optional<LockHolder> leader(String election) {
    return get(election).leader();
  }

  /**
   * Lets another process lead.
   *
   * @param election the name in {@link Leads}
   * @throws IllegalArgumentException if this application does not stand in this election
   */
  public void resign(String election) {
    get(election).resign();
  }

  private LeaderElection get(String name) {
    LeaderElection election = elections.get(name);
    if (election == null) {
      throw new IllegalArgumentException(
          "There is no election '%s' with @Leads; there are %s"
              .formatted(name, Set.copyOf(elections.keySet())));
    }
    return election;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }

  @Override
  public void start() {
    running = true;
    elections.values().forEach(election -> startUnlessItRuns(election, election::start));
    ownElections().forEach(election -> startUnlessItRuns(election, election::start));
    ownWorkers().forEach(worker -> startUnlessItRuns(worker, worker::start));
  }

  /** The application may have started it before, or starts it now. */
  private void startUnlessItRuns(Object own, Runnable start) {
    CompletableFuture<Void> end = ends.get(own);
    boolean stopping = end != null && !end.isDone();
    try {
      start.run();
    } catch (IllegalStateException e) {
      if (stopping) {
        LOG.warn(
            "A worker or election that was told to stop has not ended yet and is not started again;"
                + " start it when its work has stopped",
            e);
      } else {
        LOG.debug("Is left as it is", e);
      }
    }
  }

  private Stream<LeaderElection> ownElections() {
    return beans.getBeansOfType(LeaderElection.class).values().stream();
  }

  private Stream<LockWorker> ownWorkers() {
    return beans.getBeansOfType(LockWorker.class).values().stream();
  }

  /**
   * All at once, and waits for the last: a lock is given back when its work has stopped. Does not
   * wait for work that ends the application on its own thread.
   */
  @Override
  public void stop() {
    running = false;
    List<LeaderElection> standing =
        Stream.concat(elections.values().stream(), ownElections()).toList();
    List<LockWorker> workers = ownWorkers().toList();
    standing.forEach(election -> ends.put(election, election.stop()));
    workers.forEach(worker -> ends.put(worker, worker.stop()));
    standing.forEach(LeaderElection::close);
    workers.forEach(LockWorker::close);
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
