/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.config.ScenarioChoice.Decision;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.spi.Settings.Value;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Backends and scenarios, as configured. Immutable.
 *
 * <p>Keys are {@code backend.<name>.<setting>} and {@code scenario.<name>.<setting>}; a key without
 * a dot is a setting of the backend {@code default}. If a key is set in several places, the first
 * of these counts:
 *
 * <ol>
 *   <li>what {@link #with} was given
 *   <li>a system property, with {@code holdfast.} before the key
 *   <li>an environment variable, with {@code HOLDFAST_} before the key in capitals, underscores for
 *       dots and hyphens, and two underscores for a hyphen within the name of a backend or scenario
 *   <li>the file
 * </ol>
 *
 * <p>In system properties and environment variables, a key without a dot has to be written in full:
 * {@code holdfast.backend.default.provider}.
 *
 * <p>A backend has {@code url} or {@code provider} or both, and the settings of its provider; a
 * setting with {@code -file} or {@code -env} added to its key has its value in that file or
 * environment variable. A scenario has {@code preset}, {@code backend}, {@code ttl}, {@code
 * renewal} ({@code auto}, {@code none} or an interval), {@code retry-initial}, {@code retry-max},
 * {@code retry-jitter}, {@code retry-attempts} (a number or {@code unlimited}), {@code hand-over},
 * {@code min-hold}, {@code max-hold}, {@code lock-delay}, {@code early-warning} and {@code
 * accept-weaker}, all of which may be left out; {@code permits}, if it is for semaphores of that
 * many, and {@code sharing} ({@code read-write} or {@code none}), if it is for read-write locks. A
 * scenario with the name of a {@link Preset} has that preset, and need not be configured at all.
 * With the preset {@code rate-limit} it has instead {@code permits}, which is needed, {@code
 * window}, and {@code when-unavailable} ({@code allow} or {@code refuse}).
 */
public final class LockConfig {

  private static final Logger LOG = LoggerFactory.getLogger(LockConfig.class);
  static final String USUAL_FILE = "holdfast.properties";
  private static final BackendOpener BY_ADDRESS =
      (backend, provider, settings, options) -> Optional.empty();

  private final List<Layer> layers;
  private final Map<String, String> environment;
  private final BackendOpener opener;
  private final Keys keys;
  private final ScenarioChoice choice;

  private LockConfig(
      List<Layer> lowestFirst, Map<String, String> environment, BackendOpener opener) {
    this.layers = List.copyOf(lowestFirst);
    this.environment = Map.copyOf(environment);
    this.opener = opener;
    this.keys = Keys.merge(environment, lowestFirst);
    this.choice = new ScenarioChoice(keys);
  }

  /**
   * Reads the environment, the system properties, and the file that the system property {@code
   * holdfast.config} or the environment variable {@code HOLDFAST_CONFIG} names, or {@code
   * holdfast.properties} in the working directory if there is one.
   *
   * @return what they say together
   * @throws LockConfigurationException if a key is unknown, a value is bad, or a file cannot be
   *     read
   */
  public static LockConfig load() {
    return load(usualFile(), System.getenv(), System.getProperties());
  }

  /**
   * The file that {@link #load()} reads.
   *
   * @return empty if none is named, and there is none in the working directory
   */
  public static Optional<Path> usualFile() {
    String named = System.getProperty("holdfast.config", System.getenv("HOLDFAST_CONFIG"));
    return named != null
        ? Optional.of(Path.of(named))
        : Optional.of(Path.of(USUAL_FILE)).filter(Files::isRegularFile);
  }

  /**
   * Reads the environment, the system properties and a file.
   *
   * @param file a properties file in UTF-8
   * @return what they say together
   * @throws LockConfigurationException if a key is unknown, a value is bad, or a file cannot be
   *     read
   */
  public static LockConfig load(Path file) {
    return load(Optional.of(file), System.getenv(), System.getProperties());
  }

  static LockConfig load(
      Optional<Path> file, Map<String, String> environment, Properties properties) {
    List<Layer> layers = new ArrayList<>();
    file.map(Sources::file).ifPresent(layers::add);
    layers.add(Sources.environment(environment));
    layers.add(Sources.systemProperties(properties));
    return new LockConfig(layers, environment, BY_ADDRESS);
  }

  /**
   * Takes settings from a map and from nowhere else.
   *
   * @param settings by their keys
   * @return what they say
   * @throws LockConfigurationException if a key is unknown or a value is bad
   */
  public static LockConfig of(Map<String, String> settings) {
    return new LockConfig(List.of(Sources.map(settings)), System.getenv(), BY_ADDRESS);
  }

  /**
   * Takes settings that another library has read, and from nowhere else.
   *
   * @param settings by their keys; messages say where each was written
   * @return what they say
   * @throws LockConfigurationException if a key is unknown or a value is bad
   */
  public static LockConfig ofValues(Map<String, Value> settings) {
    Layer layer = new Layer();
    settings.forEach(layer::add);
    return new LockConfig(List.of(layer), System.getenv(), BY_ADDRESS);
  }

  /**
   * The same with settings that take precedence over all others.
   *
   * @param settings by their keys
   * @return another configuration
   * @throws LockConfigurationException if a key is unknown or a value is bad
   */
  public LockConfig with(Map<String, String> settings) {
    return with(Sources.map(settings));
  }

  /**
   * The same with settings that take precedence over all others.
   *
   * @param settings by their keys
   * @param origin where they were written, for messages: {@code on the command line}
   * @return another configuration
   * @throws LockConfigurationException if a key is unknown or a value is bad
   */
  public LockConfig with(Map<String, String> settings, String origin) {
    return with(Sources.map(settings, origin));
  }

  private LockConfig with(Layer layer) {
    List<Layer> more = new ArrayList<>(layers);
    more.add(layer);
    return new LockConfig(more, environment, opener);
  }

  /**
   * The same, where backends may be opened over existing connections.
   *
   * @param newOpener asked before a backend is opened by its address
   * @return another configuration
   */
  public LockConfig withOpener(BackendOpener newOpener) {
    return new LockConfig(layers, environment, Objects.requireNonNull(newOpener, "newOpener"));
  }

  /**
   * The names of the backends.
   *
   * @return sorted
   */
  public Set<String> backends() {
    return Collections.unmodifiableSet(new TreeSet<>(keys.backends().keySet()));
  }

  /**
   * The names of the scenarios that are configured; those of the presets are known as well.
   *
   * @return sorted
   */
  public Set<String> scenarios() {
    return Collections.unmodifiableSet(new TreeSet<>(keys.scenarios().keySet()));
  }

  /**
   * Decides which backend a scenario has, and on which terms. Connects to nothing. If the scenario
   * does not name a backend, it gets the one that suits its preset best.
   *
   * @param name of the scenario
   * @return what was decided
   * @throws LockConfigurationException if there is no such scenario, no provider for its backend,
   *     no backend that meets its demands, or more than one that does it equally well
   */
  public Scenario scenario(String name) {
    return choice.decide(name).scenario();
  }

  /**
   * Opens a client for a scenario; its {@link LockClient#lock(String)} has the scenario's terms,
   * and its {@link LockClient#semaphore(String)} the scenario's permits. A weaker backend that was
   * accepted is logged as a warning.
   *
   * @param scenario its name
   * @param options what the client takes from its surroundings
   * @return an open client, to be closed by the caller
   * @throws LockConfigurationException as {@link #scenario}, if a setting of the backend is wrong,
   *     or if the scenario has a limiter instead of locks
   * @throws io.holdfast.lock.LockUnavailableException if the backend does not answer in time
   * @throws io.holdfast.lock.LockRejectedException if the backend refuses the client
   */
  public LockClient open(String scenario, ClientOptions options) {
    Decision made = decideLocks(scenario);
    Scenario decided = made.scenario();
    warn(decided);
    ClientOptions terms = options.withLockOptions(decided.options());
    return connect(
        made,
        decided.permits().isPresent() ? terms.withPermits(decided.permits().getAsInt()) : terms);
  }

  /**
   * The settings with which {@link io.holdfast.lock.Locks#open(Map)} opens the backend of a
   * scenario, in another process for example.
   *
   * @param scenario its name
   * @return keys and values, {@code provider} included; may hold secrets
   * @throws LockConfigurationException as {@link #scenario}
   */
  public Map<String, String> settings(String scenario) {
    Decision made = decideLocks(scenario);
    return made.backend().texts(made.provider());
  }

  /**
   * Opens the limiter of a scenario with the preset {@code rate-limit}. Each scenario counts
   * separately, under the namespace {@code <namespace>.<scenario>}.
   *
   * @param scenario its name
   * @param options of which the callback executor and the clock count
   * @return an open limiter, to be closed by the caller
   * @throws LockConfigurationException as {@link #scenario}, if a setting of the backend is wrong,
   *     or if the scenario has locks instead of a limiter
   * @throws io.holdfast.lock.LockUnavailableException if the backend does not answer in time
   * @throws io.holdfast.lock.LockRejectedException if the backend refuses the client
   */
  public RateLimiter openLimiter(String scenario, ClientOptions options) {
    Decision made = choice.decide(scenario);
    RateLimit limit =
        made.scenario()
            .limit()
            .orElseThrow(
                () ->
                    new LockConfigurationException(
                        "Scenario '%s' is for locks: open it with Locks.forScenario, or set 'scenario.%s.preset' to '%s' and the permits to count them"
                            .formatted(scenario, scenario, Preset.RATE_LIMIT.id())));
    return made.backend().openLimiter(made.provider(), scenario, limit, opener, options);
  }

  /** Decides about a scenario that must be for locks. */
  Decision decideLocks(String name) {
    return choice.decideLocks(name);
  }

  /** To the backend of a scenario. */
  LockClient connect(Decision made, ClientOptions options) {
    return made.backend().open(made.provider(), opener, options);
  }

  /** Says which demands were given up, if any were. */
  static void warn(Scenario scenario) {
    if (!scenario.accepted().isEmpty()) {
      LOG.warn(
          "Scenario '{}' accepts backend '{}' of provider '{}', which lacks {}",
          scenario.name(),
          scenario.backend(),
          scenario.provider(),
          scenario.accepted().stream()
              .map(demand -> demand.text() + ": " + demand.lack())
              .collect(Collectors.joining("; ")));
    }
  }

  /** Names keys and where they were written, and no values. */
  @Override
  public String toString() {
    return "LockConfig" + keys;
  }
}
