/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.StartupParameters;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The other side of a {@link Worker}. Answers begin with an at sign; ends when its input does. */
final class WorkerMain {

  /**
   * Said instead of an answer, and at last, when the backend did not answer in time, or a renewal
   * did not come in time.
   */
  static final String LATE = "@late";

  private WorkerMain() {}

  /**
   * Runs a worker: first come its settings, then commands.
   *
   * @param args none
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    try {
      serve();
    } catch (LockUnavailableException | LockLostException e) {
      System.out.println(LATE + " " + e);
      System.out.flush();
      throw e;
    }
  }

  private static void serve() throws IOException, InterruptedException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    LockClient client = Locks.open(StartupParameters.read(in));
    say("ready");
    Optional<Lease> lease = Optional.empty();
    Optional<MultiLockThreads> several = Optional.empty();
    String side = "lock";
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "acquire" -> {
          Lease got = lock(client, side, words[1], terms(words)).acquire();
          say("acquire " + System.nanoTime() + " " + token(client, got) + " " + got.ownerId());
          lease = Optional.of(got);
        }
        case "as" -> {
          side = words[1];
          say("as");
        }
        case "fixed" -> {
          LockOptions fixed = terms(words).withRenewal(Renewal.none());
          lease = Optional.of(lock(client, side, words[1], fixed).acquire());
          say("fixed");
        }
        case "expire" -> {
          lease.orElseThrow().expireIn(millis(words[1]));
          say("expire");
        }
        case "wait" -> {
          CompletableFuture<LockEvent> contended =
              RecordedEvents.next(client, LockEvent.Contended.class);
          contended.thenRun(() -> say("contended"));
          lease = Optional.of(lock(client, side, words[1], terms(words)).acquire());
          say("wait");
        }
        case "try" -> {
          lease = lock(client, side, words[1], terms(words)).tryAcquire();
          say("try " + lease.map(got -> token(client, got)).orElse("busy"));
        }
        case "several" -> {
          LockOptions options = RuleContext.quickPolls().withTtl(millis(words[1]));
          Path file = Path.of(URLDecoder.decode(words[2], StandardCharsets.UTF_8));
          List<String> names = List.of(words).subList(3, words.length);
          several = Optional.of(MultiLockThreads.start(client, options, names, file));
          say("several");
        }
        case "progress" -> say("progress " + several.orElseThrow().progress());
        case "valid" -> say("valid " + lease.map(Lease::isValid).orElse(false));
        case "release" -> say("release " + lease.map(Lease::release));
        case "clock" -> say("clock " + wallClock());
        case "hook" -> {
          Runtime.getRuntime().addShutdownHook(new Thread(client::close));
          say("hook");
        }
        case "forget" -> {
          // Main ends, and the client was never closed.
          say("forget");
          return;
        }
        default -> say("what? " + line);
      }
    }
    client.close();
  }

  /** A lock, a side of a read-write lock, or permits such as 2/5. */
  private static DistributedLock lock(
      LockClient client, String side, String name, LockOptions options) {
    return switch (side) {
      case "lock" -> client.lock(name, options);
      case "read" -> client.readWriteLock(name, options).readLock();
      case "write" -> client.readWriteLock(name, options).writeLock();
      default -> {
        String[] numbers = side.split("/", -1);
        yield client
            .semaphore(name, Integer.parseInt(numbers[1]), options)
            .permits(Integer.parseInt(numbers[0]));
      }
    };
  }

  /** Zero where there are none. */
  private static String token(LockClient client, Lease lease) {
    boolean none = client.capabilities().fencing() == Capabilities.Fencing.NONE;
    return String.valueOf(none ? 0 : lease.fencingToken());
  }

  /** Behind the name: TTL, and perhaps minimum hold and lock delay, in milliseconds. */
  private static LockOptions terms(String[] words) {
    LockOptions options = LockOptions.defaults().withTtl(millis(words[2]));
    return options
        .withMinHold(words.length > 3 ? millis(words[3]) : Duration.ZERO)
        .withLockDelay(words.length > 4 ? millis(words[4]) : Duration.ZERO);
  }

  private static Duration millis(String text) {
    return Duration.ofMillis(Long.parseLong(text));
  }

  /** That this process has the clock that it is meant to have. */
  private static long wallClock() {
    return System.currentTimeMillis();
  }

  private static void say(String line) {
    System.out.println("@" + line);
    System.out.flush();
  }
}
