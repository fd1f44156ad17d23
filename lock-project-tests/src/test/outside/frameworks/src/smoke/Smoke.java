package smoke;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockInspector;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.ReleaseOutcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Tries the promises that every user of a lock relies on, with each of the settings files that it is given, all at the same time. It prints a line for each: {@code redis ok}, or the failure.
 */
public final class Smoke {

  private static final Duration TTL = Duration.ofSeconds(6);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String name;

  private Smoke(String name) {
    this.name = name;
  }

  /** The files are called as the backend, and end in {@code .properties}. */
  public static void main(String[] args) throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (String arg : args) {
      Thread thread = new Thread(() -> report(Path.of(arg)), arg);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println("done");
    // No thread of a client may keep the JVM alive; the test waits for its end.
  }

  private static void report(Path file) {
    String backend = file.getFileName().toString().replace(".properties", "");
    String result;
    try {
      new Smoke("smoke-" + ProcessHandle.current().pid()).run(file);
      result = "ok";
    } catch (Throwable e) {
      StringBuilder causes = new StringBuilder("failed: ");
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        causes.append(cause.toString().replace('\n', ' ')).append(" <- ");
      }
      result = causes.toString();
      e.printStackTrace();
    }
    System.out.println(backend + " " + result);
  }

  private void run(Path file) throws Exception {
    try (LockClient here = Locks.open(file);
        LockClient there = Locks.open(file)) {
      DistributedLock mine = lock(here);
      DistributedLock theirs = lock(there);

      Lease first = mine.acquire(PATIENCE);
      check(theirs.tryAcquire().isEmpty(), "two clients were granted the lock");
      holds(first, TTL.plusSeconds(1));
      check(theirs.tryAcquire().isEmpty(), "two clients were granted a lock that was renewed");

      CompletableFuture<Lease> waiting = theirs.acquireAsync(PATIENCE);
      check(first.release() == ReleaseOutcome.RELEASED, "the lease was lost before its release");
      Lease second = waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      check(second.fencingToken() > first.fencingToken(), "the second token is not greater");

      evict(here.inspector());
      second.loss().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      check(!second.isValid(), "a lost lease says that it is valid");
      try (Lease third = mine.acquire(PATIENCE)) {
        check(third.fencingToken() > second.fencingToken(), "the third token is not greater");
        third.ensureValid();
      }
    }
  }

  private DistributedLock lock(LockClient client) {
    return client.lock(name, LockOptions.defaults().withTtl(TTL));
  }

  private static void holds(Lease lease, Duration time) throws Exception {
    try {
      check(false, "lost: " + lease.loss().get(time.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException expected) {
      lease.ensureValid();
    }
  }

  private void evict(LockInspector inspector) {
    LockHolder holder = inspector.holder(name).orElseThrow();
    check(inspector.evict(holder), "the holder could not be evicted");
  }

  private static void check(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalStateException(otherwise);
    }
  }
}
