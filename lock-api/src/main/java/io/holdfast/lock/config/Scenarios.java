/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.config.ScenarioChoice.Decision;
import io.holdfast.lock.limit.RateLimiter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * The scenarios of one process. A backend is connected to when the first scenario needs it, and
 * shared by all that have it. For any number of threads.
 *
 * <pre>{@code
 * try (Scenarios scenarios = Scenarios.open()) {
 *   scenarios.forScenario("financial").lock("account:7").run(lease -> pay(lease.fencingToken()));
 * }
 * }</pre>
 */
public final class Scenarios implements AutoCloseable {

  private final LockConfig config;
  private final ClientOptions options;
  private final BiConsumer<? super Scenario, ? super LockClient> opened;
  private final SharedConnections<Place, LockClient> clients =
      new SharedConnections<>(LockClient::close);
  private final SharedConnections<String, RateLimiter> limiters =
      new SharedConnections<>(RateLimiter::close);
  private final ConcurrentHashMap<String, ScenarioLocks> scenarios = new ConcurrentHashMap<>();

  /**
   * The backend and the provider that a client connects. One address may have more than one
   * provider.
   */
  private record Place(String backend, String provider) {}

  private Scenarios(
      LockConfig config,
      ClientOptions options,
      BiConsumer<? super Scenario, ? super LockClient> opened) {
    this.config = Objects.requireNonNull(config, "config");
    this.options = Objects.requireNonNull(options, "options");
    this.opened = Objects.requireNonNull(opened, "opened");
  }

  /**
   * The scenarios of {@link LockConfig#load()}.
   *
   * @return to be closed by the caller; nothing is connected to yet
   * @throws io.holdfast.lock.LockConfigurationException if the configuration is wrong
   */
  public static Scenarios open() {
    return open(LockConfig.load(), ClientOptions.defaults());
  }

  /**
   * The scenarios of {@link LockConfig#load(Path)}.
   *
   * @param file a properties file in UTF-8
   * @return to be closed by the caller; nothing is connected to yet
   * @throws io.holdfast.lock.LockConfigurationException if the configuration is wrong
   */
  public static Scenarios open(Path file) {
    return open(LockConfig.load(file), ClientOptions.defaults());
  }

  /**
   * The scenarios of {@link LockConfig#of(Map)}.
   *
   * @param settings by their keys
   * @return to be closed by the caller; nothing is connected to yet
   * @throws io.holdfast.lock.LockConfigurationException if the configuration is wrong
   */
  public static Scenarios open(Map<String, String> settings) {
    return open(LockConfig.of(settings), ClientOptions.defaults());
  }

  /**
   * The scenarios of a configuration.
   *
   * @param config what is configured
   * @param options what all clients take from their surroundings; a backend's {@code client-name}
   *     takes precedence over the one in here
   * @return to be closed by the caller; nothing is connected to yet
   */
  public static Scenarios open(LockConfig config, ClientOptions options) {
    return open(config, options, (scenario, client) -> {});
  }

  /**
   * As {@link #open(LockConfig, ClientOptions)}, and calls back with each client before it is used:
   * to add listeners, or to measure it.
   *
   * @param config what is configured
   * @param options what all clients take from their surroundings
   * @param opened called once for each client, on the thread that opened it, with the scenario that
   *     was the first to need it. If it throws, the client is closed, and the caller that asked for
   *     the scenario gets the exception
   * @return to be closed by the caller; nothing is connected to yet
   */
  public static Scenarios open(
      LockConfig config,
      ClientOptions options,
      BiConsumer<? super Scenario, ? super LockClient> opened) {
    return new Scenarios(config, options, opened);
  }

  /**
   * The locks of a scenario. Connects to its backend, if no scenario has yet; a failure is not
   * remembered. A weaker backend that was accepted is logged as a warning, once.
   *
   * @param name of the scenario
   * @return the same each time
   * @throws LockClosedException if this is closed
   * @throws io.holdfast.lock.LockException as {@link LockConfig#open}
   */
  public ScenarioLocks forScenario(String name) {
    ScenarioLocks known = scenarios.get(name);
    if (known != null && !clients.isClosed()) {
      return known;
    }
    Decision decided = config.decideLocks(name);
    ScenarioLocks opened = new ScenarioLocks(decided.scenario(), client(decided));
    ScenarioLocks earlier = scenarios.putIfAbsent(name, opened);
    if (earlier == null) {
      LockConfig.warn(decided.scenario());
    }
    return earlier == null ? opened : earlier;
  }

  private LockClient client(Decision decided) {
    Scenario scenario = decided.scenario();
    return clients.get(
        new Place(scenario.backend(), scenario.provider()),
        scenario.name(),
        () -> connect(decided));
  }

  private LockClient connect(Decision decided) {
    LockClient client = config.connect(decided, options);
    try {
      opened.accept(decided.scenario(), client);
      return client;
    } catch (RuntimeException | Error e) {
      client.close();
      throw e;
    }
  }

  /**
   * The limiter of a scenario. Connects, if nobody has asked for it yet; a failure is not
   * remembered.
   *
   * @param name of the scenario
   * @return the same each time; closing it closes it for all
   * @throws LockClosedException if this is closed
   * @throws io.holdfast.lock.LockException as {@link LockConfig#openLimiter}
   */
  public RateLimiter limiterForScenario(String name) {
    return limiters.get(name, name, () -> config.openLimiter(name, options));
  }

  /**
   * Closes what was opened here, as {@link LockClient#close()} does; a client that is being opened
   * meanwhile is closed by the thread that opens it. Idempotent.
   */
  @Override
  public void close() {
    clients.close();
    limiters.close();
  }
}
