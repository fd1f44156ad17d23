/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.LockClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Registries of several processes on one server. A client stands for a process. */
abstract class RegistryProcesses {

  static final Duration PATIENCE = Duration.ofSeconds(20);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<LockClient> processes = Collections.synchronizedList(new ArrayList<>());

  /** So that no test meets the locks of another. */
  private final String prefix = UUID.randomUUID().toString();

  HoldfastLockRegistry registry;
  HoldfastLockRegistry elsewhere;

  /** A new client; all are of one server. */
  abstract LockClient open();

  @BeforeEach
  void begin() {
    registry = new HoldfastLockRegistry(process());
    elsewhere = new HoldfastLockRegistry(process());
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
    processes.forEach(LockClient::close);
  }

  LockClient process() {
    LockClient client = open();
    processes.add(client);
    return client.within(prefix);
  }

  <T> T inAnotherThread(Callable<T> work) throws Exception {
    return inThread(work).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  <T> Future<T> inThread(Callable<T> work) {
    return threads.submit(work);
  }

  void assertFree() {
    assertEquals(List.of(), processes.get(0).within(prefix).inspector().held(1_000));
  }

  static boolean took(Lock lock) {
    boolean taken = lock.tryLock();
    if (taken) {
      lock.unlock();
    }
    return taken;
  }
}
