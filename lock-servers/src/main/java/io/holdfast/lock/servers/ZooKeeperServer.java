/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * A standalone ZooKeeper server: a child JVM that runs ZooKeeper's own main class from the class
 * path of this process (curator-test brings all that it needs), or a container, as the setting
 * {@code holdfast.servers} says. Sessions may last from 2 ticks to 60 s.
 */
public final class ZooKeeperServer extends HostedServer {

  private static final String MAIN_CLASS = "org.apache.zookeeper.server.ZooKeeperServerMain";

  /** Without it, the main class is there but does not start. */
  private static final String NEEDED_CLASS = "com.codahale.metrics.Reservoir";

  private static final String IMAGE = "zookeeper:3.9";
  private static final int INNER_PORT = 2181;
  private static final int TIMEOUT_MILLIS = 10_000;

  /**
   * Small transaction logs, written for the next process rather than for the next power failure;
   * and room for some hundred thousand nodes.
   */
  private static final List<String> JVM_OPTIONS =
      List.of(
          "-Xmx512m",
          "-Dzookeeper.preAllocSize=64",
          "-Dzookeeper.forceSync=no",
          "-Dzookeeper.4lw.commands.whitelist=*",
          "-Dzookeeper.admin.enableServer=false",
          "-Dzookeeper.extendedTypesEnabled=true");

  /** Empty containers are looked for often, which is harder on locks. */
  private static final Duration OFTEN = Duration.ofSeconds(1);

  private ZooKeeperServer(Server server) {
    super(server);
  }

  /**
   * Starts a server on a free port.
   *
   * @param tick ZooKeeper's unit of time; the shortest session lasts twice as long
   * @return a server that answers
   * @throws IllegalStateException if there is neither ZooKeeper's server nor Docker (the message
   *     says what to add), or if it does not start
   */
  public static ZooKeeperServer launch(Duration tick) {
    return launch(tick, Map.of());
  }

  /**
   * Starts a server on a free port with further settings.
   *
   * @param tick ZooKeeper's unit of time; the shortest session lasts twice as long
   * @param config lines of {@code zoo.cfg}, which win over those given here; local servers only
   * @return a server that answers
   * @throws IllegalStateException if there is neither ZooKeeper's server nor Docker (the message
   *     says what to add), or if it does not start
   */
  public static ZooKeeperServer launch(Duration tick, Map<String, String> config) {
    return launch(tick, config, OFTEN);
  }

  /**
   * Starts a server on a free port that looks for empty containers now and then.
   *
   * @param tick ZooKeeper's unit of time; the shortest session lasts twice as long
   * @param config lines of {@code zoo.cfg}, which win over those given here; local servers only
   * @param cleaning the time between two looks; ZooKeeper's default is a minute
   * @return a server that answers
   * @throws IllegalStateException if there is neither ZooKeeper's server nor Docker (the message
   *     says what to add), or if it does not start
   */
  public static ZooKeeperServer launch(
      Duration tick, Map<String, String> config, Duration cleaning) {
    Hosting hosting =
        Hosting.choose(
            "ZooKeeper's server",
            ZooKeeperServer::isOnClassPath,
            "Add org.apache.curator:curator-test to the class path");
    return new ZooKeeperServer(
        switch (hosting) {
          case LOCAL -> startLocal(tick, config, jvmOptions(cleaning));
          case DOCKER -> startContainer(tick, config, jvmOptions(cleaning));
        });
  }

  /**
   * Sends one of ZooKeeper's four-letter words.
   *
   * @param word such as {@code dump} or {@code srvr}
   * @return the answer
   * @throws UncheckedIOException if there is none
   */
  public String command(String word) {
    try {
      return ask(host(), port(), word);
    } catch (IOException e) {
      throw new UncheckedIOException(word + ": no answer of " + describe(), e);
    }
  }

  private static List<String> jvmOptions(Duration cleaning) {
    List<String> options = new ArrayList<>(JVM_OPTIONS);
    options.add("-Dznode.container.checkIntervalMs=" + cleaning.toMillis());
    return options;
  }

  private static Server startLocal(
      Duration tick, Map<String, String> config, List<String> jvmOptions) {
    WorkDirectory directory = WorkDirectory.create("zookeeper");
    String logging = directory.file("logback.xml", resource("zookeeper-logback.xml")).toString();
    return LocalServer.start(
        "ZooKeeper " + localVersion(),
        directory,
        port -> {
          Map<String, String> lines = new LinkedHashMap<>();
          lines.put("dataDir", directory.data().toString());
          lines.put("clientPort", Integer.toString(port));
          lines.put("clientPortAddress", Ports.LOOPBACK);
          lines.put("tickTime", Long.toString(tick.toMillis()));
          lines.put("maxSessionTimeout", "60000");
          lines.put("maxClientCnxns", "0");
          lines.putAll(config);
          StringJoiner text = new StringJoiner("\n");
          lines.forEach((key, value) -> text.add(key + "=" + value));
          return JavaCommand.of(
              withLogging(jvmOptions, logging),
              MAIN_CLASS,
              directory.file("zoo.cfg", text.toString()).toString());
        },
        ZooKeeperServer::answers);
  }

  private static List<String> withLogging(List<String> jvmOptions, String file) {
    List<String> options = new ArrayList<>(jvmOptions);
    options.add("-Dlogback.configurationFile=" + file);
    options.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    return options;
  }

  private static Server startContainer(
      Duration tick, Map<String, String> config, List<String> jvmOptions) {
    if (!config.isEmpty()) {
      throw new IllegalArgumentException("A container takes no further settings: " + config);
    }
    Map<String, String> environment =
        Map.of(
            "ZOO_TICK_TIME", Long.toString(tick.toMillis()),
            "ZOO_MAX_CLIENT_CNXNS", "0",
            "ZOO_ADMINSERVER_ENABLED", "false",
            "ZOO_4LW_COMMANDS_WHITELIST", "*",
            "ZOO_CFG_EXTRA", "maxSessionTimeout=60000",
            "JVMFLAGS", String.join(" ", jvmOptions));
    return ContainerServer.start(
        new ContainerServer.Recipe(
            IMAGE, INNER_PORT, List.of(), environment, ZooKeeperServer::answers));
  }

  private static boolean answers(String host, int port) throws IOException {
    return ask(host, port, "srvr").contains("Mode:");
  }

  private static String ask(String host, int port, String word) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(word.getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }

  private static boolean isOnClassPath() {
    return find(MAIN_CLASS).isPresent() && find(NEEDED_CLASS).isPresent();
  }

  private static String localVersion() {
    return find(MAIN_CLASS)
        .map(main -> main.getPackage().getImplementationVersion())
        .orElse("(version unknown)");
  }

  private static Optional<Class<?>> find(String name) {
    try {
      return Optional.of(Class.forName(name, false, ZooKeeperServer.class.getClassLoader()));
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    }
  }

  private static String resource(String name) {
    try (InputStream in = ZooKeeperServer.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("Resource " + name + " is missing");
      }
      return new String(in.readAllBytes(), US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + name, e);
    }
  }
}
