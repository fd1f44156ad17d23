/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Any server that is a program of this machine, as a child process of this JVM: it gets a free port
 * and a directory of its own, and ends with this JVM.
 */
public final class LocalServer implements Server {

  private static final Logger LOG = LoggerFactory.getLogger(LocalServer.class);
  private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);
  private static final long PROBE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int PORTS_TO_TRY = 5;
  private static final List<String> PORT_TAKEN =
      List.of(
          "Address already in use",
          "address already in use",
          "could not bind",
          "Failed listening on port",
          "BindException");

  private final String name;
  private final WorkDirectory directory;
  private final int port;
  private final List<String> command;
  private final Probe probe;
  private final String stopSignal;
  private ManagedProcess process;
  private boolean closed;

  private LocalServer(
      String name,
      WorkDirectory directory,
      int port,
      List<String> command,
      Probe probe,
      String stopSignal,
      ManagedProcess process) {
    this.name = name;
    this.directory = directory;
    this.port = port;
    this.command = command;
    this.probe = probe;
    this.stopSignal = stopSignal;
    this.process = process;
  }

  /**
   * Starts a server, and returns when it answers.
   *
   * @param name what runs, for logs and reports, such as {@code h2 2.4.240}
   * @param command what to run
   * @param probe whether it answers
   * @return a server that answers; closed by the caller
   * @throws IllegalStateException with its output, if it ends before it answers or does not answer
   *     within 30 seconds
   */
  public static LocalServer launch(String name, Command command, Probe probe) {
    WorkDirectory directory = WorkDirectory.create("server");
    return start(name, directory, port -> command.of(port, directory.data()), probe);
  }

  /**
   * Starts one on a free port, and on another if somebody else was faster.
   *
   * @param commandFor what to run for a port
   */
  static LocalServer start(
      String name, WorkDirectory directory, IntFunction<List<String>> commandFor, Probe probe) {
    return start(name, directory, commandFor, probe, "TERM");
  }

  /**
   * Starts one on a free port, and on another if somebody else was faster.
   *
   * @param commandFor what to run for a port
   * @param stopSignal which asks it to end in good order
   */
  static LocalServer start(
      String name,
      WorkDirectory directory,
      IntFunction<List<String>> commandFor,
      Probe probe,
      String stopSignal) {
    for (int tries = 1; ; tries++) {
      int port = Ports.free();
      List<String> command = commandFor.apply(port);
      LocalServer server =
          new LocalServer(
              name,
              directory,
              port,
              command,
              probe,
              stopSignal,
              launch(command, directory, Map.of()));
      try {
        server.awaitAnswer();
        LOG.info("Started {}", server.describe());
        return server;
      } catch (IllegalStateException e) {
        String log = directory.readLog();
        if (tries == PORTS_TO_TRY || PORT_TAKEN.stream().noneMatch(log::contains)) {
          server.close();
          throw e;
        }
        server.process.kill();
        directory.wipe();
      }
    }
  }

  @Override
  public String host() {
    return Ports.LOOPBACK;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String describe() {
    return name + ", local process " + process.pid() + ", " + host() + ":" + port;
  }

  @Override
  public void stop() {
    process.terminate(stopSignal, STOP_TIMEOUT);
  }

  @Override
  public void kill() {
    process.kill();
  }

  @Override
  public void start() {
    start(Map.of());
  }

  @Override
  public boolean restartWith(FakeClock clock) {
    stop();
    start(clock.environment());
    return true;
  }

  private void start(Map<String, String> environment) {
    if (closed) {
      throw new IllegalStateException(name + " is closed");
    }
    if (process.isAlive()) {
      return;
    }
    process = launch(command, directory, environment);
    awaitAnswer();
  }

  @Override
  public void wipe() {
    if (process.isAlive()) {
      throw new IllegalStateException("Stop " + describe() + " before its data is removed");
    }
    directory.wipe();
  }

  @Override
  public void suspend() {
    process.suspend();
  }

  @Override
  public void resume() {
    process.resume();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      process.kill();
      directory.delete();
    } catch (RuntimeException e) {
      LOG.warn("Could not clean up after {}", describe(), e);
    }
  }

  private static ManagedProcess launch(
      List<String> command, WorkDirectory directory, Map<String, String> environment) {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.data().toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.to(directory.log().toFile()));
    builder.environment().putAll(environment);
    return ManagedProcess.startTree(builder);
  }

  private void awaitAnswer() {
    long begin = System.nanoTime();
    while (!answers()) {
      if (!process.isAlive()) {
        throw new IllegalStateException(
            name + " ended before it answered; its output:\n" + directory.readLog());
      }
      if (System.nanoTime() - begin > START_TIMEOUT.toNanos()) {
        process.kill();
        throw new IllegalStateException(
            name + " does not answer; its output:\n" + directory.readLog());
      }
      LockSupport.parkNanos(PROBE_PAUSE_NANOS);
    }
    if (!process.isAlive()) {
      throw new IllegalStateException(
          name + " ended, and another answers; its output:\n" + directory.readLog());
    }
  }

  private boolean answers() {
    try {
      return probe.answers(host(), port);
    } catch (IOException e) {
      return false;
    }
  }

  /** The command to run. */
  @FunctionalInterface
  public interface Command {

    /**
     * The program and its arguments.
     *
     * @param port on which it has to listen, of the loopback interface
     * @param data where its files have to be; also its working directory
     * @return the same whenever it is started again, on the same port
     */
    List<String> of(int port, Path data);
  }

  /** Whether a server answers. */
  @FunctionalInterface
  public interface Probe {

    /**
     * Asks it something that it only answers when it is ready.
     *
     * @param host where it listens
     * @param port where it listens
     * @return whether it answered
     * @throws IOException if it did not
     */
    boolean answers(String host, int port) throws IOException;
  }
}
