/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small JVM with the class path of this one, to be talked to by lines and to be killed. It dies
 * with this JVM. Its standard error goes to the log of this JVM, line by line, and into messages
 * about it. For any number of threads.
 */
public final class ChildJvm implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ChildJvm.class);
  private static final Duration TERMINATE_TIMEOUT = Duration.ofSeconds(40);
  private static final int ERROR_LINES_KEPT = 50;

  /**
   * The output of a child is complete when it ends; but its own children may keep the pipes open.
   */
  private static final Duration LONGEST_READING = Duration.ofSeconds(5);

  private final String name;
  private final ManagedProcess process;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<String> lines = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();
  private final Consumer<? super String> listener;
  private final List<Thread> readers = new ArrayList<>();
  private int next;
  private boolean ended;

  private ChildJvm(String name, ManagedProcess process, Consumer<? super String> listener) {
    this.name = name;
    this.process = process;
    this.listener = listener;
  }

  /**
   * Starts a JVM.
   *
   * @param main the class whose {@code main} runs
   * @param args its arguments
   * @return a child that has been started, but need not have come to its {@code main}
   */
  public static ChildJvm start(Class<?> main, String... args) {
    return start(main, line -> {}, args);
  }

  /**
   * Starts a JVM and follows its output.
   *
   * @param main the class whose {@code main} runs
   * @param listener is given every line of its standard output, one after another, on a thread of
   *     this child; should be quick
   * @param args its arguments
   * @return a child that has been started, but need not have come to its {@code main}
   */
  public static ChildJvm start(Class<?> main, Consumer<? super String> listener, String... args) {
    return start(List.of(), main, Map.of(), listener, args);
  }

  /**
   * Starts a JVM with an environment of its own, and follows its output.
   *
   * @param main the class whose {@code main} runs
   * @param environment what it has besides that of this JVM
   * @param listener as above
   * @param args its arguments
   * @return a child that has been started, but need not have come to its {@code main}
   */
  public static ChildJvm start(
      Class<?> main,
      Map<String, String> environment,
      Consumer<? super String> listener,
      String... args) {
    return start(List.of(), main, environment, listener, args);
  }

  /**
   * Starts a JVM that is not as small.
   *
   * @param jvmOptions win over those of the small one, such as {@code -Xmx1g}
   * @param main the class whose {@code main} runs
   * @param args its arguments
   * @return a child that has been started, but need not have come to its {@code main}
   */
  public static ChildJvm start(List<String> jvmOptions, Class<?> main, String... args) {
    return start(jvmOptions, main, Map.of(), line -> {}, args);
  }

  /**
   * Starts a JVM with all of these.
   *
   * @param jvmOptions as above
   * @param main the class whose {@code main} runs
   * @param environment as above
   * @param listener as above
   * @param args its arguments
   * @return a child that has been started, but need not have come to its {@code main}
   */
  public static ChildJvm start(
      List<String> jvmOptions,
      Class<?> main,
      Map<String, String> environment,
      Consumer<? super String> listener,
      String... args) {
    ProcessBuilder builder = new ProcessBuilder(JavaCommand.of(jvmOptions, main, args));
    builder.environment().putAll(environment);
    ManagedProcess process = ManagedProcess.start(builder);
    ChildJvm child = new ChildJvm(main.getSimpleName() + " " + process.pid(), process, listener);
    child.follow("out", process.process().inputReader(UTF_8), child::onLine, child::onEnd);
    child.follow("err", process.process().errorReader(UTF_8), child::onError, () -> {});
    return child;
  }

  /**
   * Waits for a line of its standard output. Lines are looked at once, in their order: the next
   * call begins after the line that this one returns.
   *
   * @param wanted which line
   * @param patience how long to wait
   * @return the first line that is wanted
   * @throws IllegalStateException if it does not come in time, or the child ends without it; the
   *     message shows the output
   */
  public String awaitLine(Predicate<? super String> wanted, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    lock.lock();
    try {
      while (true) {
        while (next < lines.size()) {
          String line = lines.get(next++);
          if (wanted.test(line)) {
            return line;
          }
        }
        long left = deadline - System.nanoTime();
        if (ended || left <= 0) {
          throw new IllegalStateException(
              "%s %s without the line that was waited for; output: %s; errors: %s"
                  .formatted(name, ended ? "ended" : "ran for " + patience, lines, errors));
        }
        changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for " + name, e);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes a line to its standard input.
   *
   * @param line without line feed
   * @throws UncheckedIOException if the child does not read any more
   */
  public void send(String line) {
    OutputStream input = process.process().getOutputStream();
    try {
      input.write((line + "\n").getBytes(UTF_8));
      input.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " does not read", e);
    }
  }

  /** Freezes it with SIGSTOP. */
  public void suspend() {
    process.suspend();
  }

  /** Lets it go on with SIGCONT. */
  public void resume() {
    process.resume();
  }

  /** Ends it with SIGKILL and returns when it is gone. */
  public void kill() {
    process.kill();
  }

  /**
   * Ends it with SIGTERM, so that its shutdown hooks run, and returns when it is gone; kills it if
   * that takes longer than it does on a loaded machine.
   */
  public void terminate() {
    process.terminate(TERMINATE_TIMEOUT);
  }

  /**
   * How it ended.
   *
   * @return its exit code, 128 plus the signal if it was killed; empty while it runs
   */
  public OptionalInt exitCode() {
    return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.process().exitValue());
  }

  /**
   * Waits for its end, and until what it has written has been read.
   *
   * @param patience how long
   * @return its exit code
   * @throws IllegalStateException if it still runs then
   */
  public int awaitExit(Duration patience) {
    try {
      if (process.process().waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        for (Thread reader : readers) {
          reader.join(LONGEST_READING.toMillis());
        }
        return process.process().exitValue();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for " + name, e);
    }
    throw new IllegalStateException(name + " still runs after " + patience);
  }

  /**
   * The last lines of its standard error.
   *
   * @return at most 50 lines
   */
  public List<String> errors() {
    lock.lock();
    try {
      return List.copyOf(errors);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Its process.
   *
   * @return the id
   */
  public long pid() {
    return process.pid();
  }

  /** Kills it, also when it is suspended. Idempotent. */
  @Override
  public void close() {
    process.kill();
  }

  @Override
  public String toString() {
    return name;
  }

  private void follow(
      String what, BufferedReader reader, Consumer<? super String> onLine, Runnable onEnd) {
    Thread thread =
        new Thread(
            () -> {
              try (reader) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                  onLine.accept(line);
                }
              } catch (IOException e) {
                LOG.debug("{}: standard {} is cut off", name, what, e);
              } finally {
                onEnd.run();
              }
            },
            "holdfast-child-" + what + "-" + process.pid());
    thread.setDaemon(true);
    readers.add(thread);
    thread.start();
  }

  private void onLine(String line) {
    lock.lock();
    try {
      lines.add(line);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    listener.accept(line);
  }

  private void onEnd() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void onError(String line) {
    LOG.info("{}: {}", name, line);
    lock.lock();
    try {
      errors.add(line);
      if (errors.size() > ERROR_LINES_KEPT) {
        errors.remove(0);
      }
    } finally {
      lock.unlock();
    }
  }
}
