/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Many clients in one JVM, each with the connections that it would have in a process of its own.
 */
final class ScaleProcess {

  private static final int TAKERS = 32;

  private final Entry entry;
  private final Address address;
  private final int count;
  private final List<Contestant> clients = new ArrayList<>();
  private final ConcurrentLinkedQueue<Contestant.Held> held = new ConcurrentLinkedQueue<>();

  private ScaleProcess(Entry entry, Address address, int count) {
    this.entry = entry;
    this.address = address;
    this.count = count;
  }

  /**
   * Arguments: backend, name of the contestant, address, how many clients. Each line: what to do.
   * Runs until it is killed.
   */
  public static void main(String[] arguments) throws Exception {
    ScaleProcess process =
        new ScaleProcess(
            Contestants.find(arguments[0], arguments[1]),
            Address.parse(arguments[2]),
            Integer.parseInt(arguments[3]));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.out.println("empty " + HolderProcess.usedHeap());
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(process.carryOut(line.split(" ", -1)));
    }
    System.exit(0);
  }

  private String carryOut(String[] words) throws Exception {
    return switch (words[0]) {
      case "open" -> {
        open();
        yield "opened " + HolderProcess.usedHeap();
      }
      case "take" -> {
        take(Integer.parseInt(words[1]));
        yield "held " + HolderProcess.usedHeap();
      }
      case "free" -> {
        free();
        yield "freed " + held.size();
      }
      case "contend" -> "handed " + contend(Duration.ofMillis(Long.parseLong(words[1])));
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  /** Each has had a lock, so that it has everything that there is once only. */
  private void open() throws Exception {
    for (int i = 0; i < count; i++) {
      Contestant client = entry.open(address);
      clients.add(client);
      client.take("warm-up-" + i).free();
    }
  }

  /** Until so many are held, by each client about as many as by any other. */
  private void take(int leases) throws Exception {
    int before = held.size();
    var unused =
        Workers.<Integer>run(
            Workers.platform(),
            TAKERS,
            Duration.ZERO,
            (taker, end) -> {
              for (int i = before + taker; i < leases; i += TAKERS) {
                held.add(clients.get(i % count).take("held-" + i));
              }
              return taker;
            });
    if (held.size() != leases) {
      throw new IllegalStateException(held.size() + " of " + leases);
    }
  }

  private void free() throws Exception {
    var unused =
        Workers.<Integer>run(
            Workers.platform(),
            TAKERS,
            Duration.ZERO,
            (taker, end) -> {
              for (Contestant.Held one = held.poll(); one != null; one = held.poll()) {
                one.free();
              }
              return taker;
            });
  }

  /** All clients want the same lock, again and again; how often it went from one to another. */
  private long contend(Duration time) throws Exception {
    AtomicInteger last = new AtomicInteger(-1);
    LongAdder handOvers = new LongAdder();
    var unused =
        Workers.<Integer>run(
            Workers.platform(),
            count,
            time,
            (client, end) -> {
              do {
                Contestant.Held one = clients.get(client).take("wanted");
                if (last.getAndSet(client) != client) {
                  handOvers.increment();
                }
                one.free();
              } while (System.nanoTime() < end);
              return client;
            });
    return handOvers.sum();
  }
}
