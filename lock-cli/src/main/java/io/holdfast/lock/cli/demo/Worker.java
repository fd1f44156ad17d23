/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.demo;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.ReleaseOutcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A process that wants the lock, holds it for as long as it can, and wants it again after a loss.
 * It tells on its standard output what it believes. It takes the line {@code release} from its
 * standard input, and ends after that, or with its input.
 *
 * <p>Everything that it does with locks is what an application would do.
 */
final class Worker {

  static final String RELEASE = "release";

  private static final long CHECK_MILLIS = 50;

  private final DistributedLock lock;
  private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();
  private final AtomicReference<@Nullable Lease> current = new AtomicReference<>();

  private Worker(DistributedLock lock) {
    this.lock = lock;
  }

  /**
   * Runs a worker.
   *
   * @param args the lock's name, its TTL in milliseconds, and the client's settings as {@code
   *     key=value}
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws InterruptedException {
    LockOptions options =
        LockOptions.defaults().withTtl(Duration.ofMillis(Long.parseLong(args[1])));
    Map<String, String> settings =
        Arrays.stream(args)
            .skip(2)
            .map(setting -> setting.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    try (LockClient client = Locks.open(settings)) {
      Worker worker = new Worker(client.lock(args[0], options));
      client.addListener(worker::on);
      worker.readCommands();
      worker.run();
    }
  }

  private void run() throws InterruptedException {
    boolean wantsMore = true;
    while (wantsMore) {
      tell(new Report.Wants(System.nanoTime()));
      wantsMore = hold(lock.acquire());
    }
  }

  /** Holds until told to release or until the lease is lost; true means lost. */
  private boolean hold(Lease lease) throws InterruptedException {
    long now = System.nanoTime();
    tell(new Report.Holds(now, lease.fencingToken(), now + lease.remaining().toNanos()));
    current.set(lease);
    CompletableFuture<Void> lossTold = new CompletableFuture<>();
    lease.onLoss(
        loss -> {
          tell(new Report.Lost(System.nanoTime(), loss.reason()));
          lossTold.complete(null);
        });
    while (true) {
      String command = commands.poll(CHECK_MILLIS, TimeUnit.MILLISECONDS);
      long asked = System.nanoTime();
      boolean valid = lease.isValid();
      tell(new Report.Checked(asked, valid, asked + lease.remaining().toNanos()));
      if (!valid) {
        lossTold.join();
        return true;
      }
      if (RELEASE.equals(command)) {
        long released = System.nanoTime();
        ReleaseOutcome outcome = lease.release();
        tell(new Report.Released(released, outcome));
        return false;
      }
    }
  }

  private void on(LockEvent event) {
    if (event instanceof LockEvent.Contended) {
      tell(new Report.Waits(System.nanoTime()));
    }
    Lease lease = current.get();
    if (event instanceof LockEvent.Renewed && lease != null) {
      long now = System.nanoTime();
      tell(new Report.Renewed(now, now + lease.remaining().toNanos()));
    }
  }

  private void readCommands() {
    Thread reader =
        new Thread(
            () -> {
              try (BufferedReader in =
                  new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                  commands.add(line);
                }
              } catch (IOException e) {
                System.err.println("No more commands: " + e);
              }
              Runtime.getRuntime().halt(1);
            },
            "commands");
    reader.setDaemon(true);
    reader.start();
  }

  private static void tell(Report report) {
    System.out.println(report.line());
  }
}
