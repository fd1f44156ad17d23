/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
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
 * A process of contenders. Ends in good order at a line of input or its end, and its client also at
 * SIGTERM.
 */
final class ContenderMain {

  /** Said when its client is open. */
  static final String READY = "@ready";

  private static final int FAILED = 70;
  private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

  private ContenderMain() {}

  /**
   * Runs it.
   *
   * @param args orders and settings, as key=value
   */
  public static void main(String[] args) throws IOException {
    Thread.setDefaultUncaughtExceptionHandler(ContenderMain::die);
    Map<String, String> arguments = Orders.parse(args);
    Orders orders = Orders.of(arguments);
    HistoryWriter history = HistoryWriter.open(orders.directory(), orders.process());
    history.append(
        new Event.Started(System.nanoTime(), orders.process(), ProcessHandle.current().pid()));
    LockClient client = open(Orders.settings(arguments));
    Runtime.getRuntime().addShutdownHook(new Thread(client::close));
    Contender contender = new Contender(orders, client, history, ContenderMain::die);
    System.out.println(READY);
    System.out.flush();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String unused = in.readLine();
    contender.close();
    System.exit(0);
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
