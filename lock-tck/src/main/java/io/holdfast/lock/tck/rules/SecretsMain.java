/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.config.LockConfig;
import io.holdfast.lock.servers.StartupParameters;
import io.holdfast.lock.spi.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.LoggerFactory;

/**
 * Opens clients with the settings that it is given, one after another, uses them, and shows all
 * there is to see: what is logged, what is thrown, and each object of Holdfast as a text.
 */
final class SecretsMain {

  /** Said when a client could be used. */
  static final String USED = "@used";

  /** Said when a client could not be opened or used, with what was thrown. */
  static final String REFUSED = "@refused";

  /** Logged at the lowest level, to be found. */
  static final String LOGGED = "what is logged at the lowest level is shown";

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private SecretsMain() {}

  /**
   * Runs until its input ends.
   *
   * @param args none
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    System.setErr(System.out);
    FullLogging.captureJavaLogging();
    LoggerFactory.getLogger(SecretsMain.class).trace(LOGGED);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (Map<String, String> settings = StartupParameters.read(in);
        !settings.isEmpty();
        settings = StartupParameters.read(in)) {
      tryOut(settings);
      tryOutAsScenario(settings);
    }
  }

  private static void tryOut(Map<String, String> settings) throws InterruptedException {
    try {
      Map<String, String> rest = new HashMap<>(settings);
      String provider = String.valueOf(rest.remove("provider"));
      System.out.println(new Settings(provider, rest));
      try (LockClient client = Locks.open(settings)) {
        use(client);
      }
      System.out.println(USED);
    } catch (LockException | IllegalArgumentException e) {
      e.printStackTrace(System.out);
      System.out.println(REFUSED + " " + e.getClass().getSimpleName());
    }
  }

  private static void use(LockClient client) throws InterruptedException {
    client.addListener(System.out::println);
    DistributedLock lock = client.lock("secrecy");
    System.out.println(lock + " " + lock.asJavaLock() + " " + client.capabilities());
    try (Lease lease = lock.acquire(PATIENCE)) {
      System.out.println(lease);
      System.out.println(client.inspector().held(1));
      System.out.println(client.examine(PATIENCE));
      Set<Object> ours = ObjectGraph.from(client);
      ours.addAll(ObjectGraph.from(lease));
      ours.forEach(System.out::println);
    }
  }

  private static void tryOutAsScenario(Map<String, String> settings) {
    Map<String, String> named = new HashMap<>();
    settings.forEach((key, value) -> named.put("backend.main." + key, value));
    named.put("scenario.jobs.preset", "none");
    try {
      LockConfig config = LockConfig.of(named);
      System.out.println(config);
      config.open("jobs", ClientOptions.defaults()).close();
    } catch (LockException | IllegalArgumentException e) {
      e.printStackTrace(System.out);
    }
  }
}
