/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads of a client that take some of a few locks at once, in any order, time and again. Under
 * each lock they count in a file, which other processes have open as well: an overlap loses an
 * update.
 */
final class MultiLockThreads implements AutoCloseable {

  private static final int THREADS = 8;
  private static final int ROUNDS = 6;
  private static final int FEWEST_NAMES = 2;
  private static final int MOST_NAMES = 5;
  private static final long PAUSE_NANOS = 500_000;

  /**
   * How far the threads are.
   *
   * @param served how many leases they have had and released
   * @param counted how often they have counted under each lock
   */
  record Progress(int served, List<Integer> counted) {

    /** Of what {@link #toString} has made. */
    static Progress parse(String text) {
      List<Integer> numbers = new ArrayList<>();
      for (String number : text.split(" ", -1)) {
        numbers.add(Integer.valueOf(number));
      }
      return new Progress(numbers.get(0), numbers.subList(1, numbers.size()));
    }

    boolean hasEnded() {
      return served == THREADS * ROUNDS;
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder().append(served);
      counted.forEach(count -> text.append(' ').append(count));
      return text.toString();
    }
  }

  private final List<String> names;
  private final FileChannel file;
  private final AtomicInteger served = new AtomicInteger();
  private final AtomicIntegerArray counted;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, this::daemon);
  private final List<Future<Void>> tasks = new ArrayList<>();

  private MultiLockThreads(List<String> names, FileChannel file) {
    this.names = names;
    this.file = file;
    this.counted = new AtomicIntegerArray(names.size());
  }

  /**
   * Starts all threads.
   *
   * @param path a file that is empty at first
   */
  static MultiLockThreads start(
      LockClient client, LockOptions options, List<String> names, Path path) throws IOException {
    FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    MultiLockThreads all = new MultiLockThreads(names, file);
    for (int i = 0; i < THREADS; i++) {
      all.tasks.add(
          all.threads.submit(
              () -> {
                all.takeAndCount(client, options);
                return null;
              }));
    }
    return all;
  }

  private void takeAndCount(LockClient client, LockOptions options)
      throws IOException, InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      List<Integer> some = some();
      client.allOf(some.stream().map(names::get).toList(), options).run(lease -> count(some));
      served.incrementAndGet();
    }
  }

  /** Of names, in any order. */
  private List<Integer> some() {
    List<Integer> mixed = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      mixed.add(i);
    }
    Collections.shuffle(mixed, ThreadLocalRandom.current());
    int many = ThreadLocalRandom.current().nextInt(FEWEST_NAMES, MOST_NAMES + 1);
    return List.copyOf(mixed.subList(0, many));
  }

  /** Reads, pauses and writes. */
  private void count(List<Integer> some) throws IOException {
    List<Long> before = new ArrayList<>();
    for (int name : some) {
      before.add(read(file, name));
    }
    LockSupport.parkNanos(PAUSE_NANOS);
    for (int i = 0; i < some.size(); i++) {
      int name = some.get(i);
      file.write(ByteBuffer.allocate(Long.BYTES).putLong(0, before.get(i) + 1), at(name));
      counted.incrementAndGet(name);
    }
  }

  /** The number that all processes counted under a lock in a file. */
  static long read(FileChannel file, int name) throws IOException {
    ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
    return file.read(number, at(name)) < Long.BYTES ? 0 : number.getLong(0);
  }

  private static long at(int name) {
    return (long) name * Long.BYTES;
  }

  /** How far they are, or what one of them has thrown. */
  Progress progress() {
    for (Future<Void> task : tasks) {
      if (task.isDone()) {
        rethrowFailure(task);
      }
    }
    List<Integer> counts = new ArrayList<>();
    for (int i = 0; i < counted.length(); i++) {
      counts.add(counted.get(i));
    }
    return new Progress(served.get(), counts);
  }

  private static void rethrowFailure(Future<Void> ended) {
    try {
      ended.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "several");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    file.close();
  }
}
