/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.StartupParameters;
import io.holdfast.lock.tck.history.Event;
import io.holdfast.lock.tck.history.HistoryWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A process of threads that contend. Its input begins with its orders and what opens its client. It
 * contends from the next line on, and ends in good order at one more or at the end of its input;
 * its client ends also at SIGTERM.
 */
final class ClientProcessMain {

  /** Said when its client is open, and has been used. */
  static final String READY = "@ready";

  private static final int FAILED = 70;
  private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

  private ClientProcessMain() {}

  /**
   * Runs it.
   *
   * @param args none
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Thread.setDefaultUncaughtExceptionHandler(ClientProcessMain::die);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Map<String, String> facts = StartupParameters.read(in);
    WorkerConfig config = WorkerConfig.of(facts);
    HistoryWriter history = HistoryWriter.open(config.directory(), config.process());
    history.append(
        new Event.Started(System.nanoTime(), config.process(), ProcessHandle.current().pid()));
    LockClient client = open(WorkerConfig.settings(facts));
    Runtime.getRuntime().addShutdownHook(new Thread(client::close));
    warmUp(config, client);
    System.out.println(READY);
    System.out.flush();
    if (in.readLine() == null) {
      System.exit(0);
    }
    ClientThreads threads = new ClientThreads(config, client, history, ClientProcessMain::die);
    String unused = in.readLine();
    threads.close();
    System.exit(0);
  }

  /** All classes that it takes, of a lock that nobody else asks for. */
  private static void warmUp(WorkerConfig config, LockClient client) throws InterruptedException {
    try {
      client.lock(config.names().own(config.process())).tryAcquire().ifPresent(Lease::release);
    } catch (LockException e) {
      // The server is away just now: they are loaded all the same.
    }
  }

  /** A thread that fails is a fault of this kit, or one that the contract does not know. */
  private static void die(Thread thread, Throwable thrown) {
    System.err.println(thread.getName());
    thrown.printStackTrace();
    Runtime.getRuntime().halt(FAILED);
  }

  /** The server may be away just now. */
  private static LockClient open(Map<String, String> settings) {
    while (true) {
      try {
        return Locks.open(settings);
      } catch (LockUnavailableException e) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }
}
