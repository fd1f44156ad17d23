/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A process that a command has left, and that ignores a signal: it has the time of {@code --grace}
 * for as long as the lock is held, and no longer, as another may hold it then.
 */
class GuardedProcessTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** So long that nobody waits for it here. */
  private static final Duration GRACE = Duration.ofMinutes(2);

  /** TERM ends it, and not what it has started. */
  private static final List<String> COMMAND =
      List.of("sh", "-c", "sh -c 'trap \"\" TERM; while :; do sleep 1; done' & wait");

  private RedisServer server;
  private LockClient client;
  private GuardedProcess command;
  private ProcessHandle shell;
  private ProcessHandle left;

  @BeforeEach
  void start() throws Exception {
    server = RedisServer.launch();
    client = Locks.open("redis", HoldfastRun.settings(server));
    LockOptions terms = LockOptions.defaults().withTtl(GRACE.multipliedBy(3));
    Lease lease = client.lock("nightly").with(terms).acquire(PATIENCE);
    List<ProcessHandle> before = ProcessHandle.current().children().toList();
    command = GuardedProcess.start(COMMAND, lease, List.of("nightly"), GRACE);
    shell = ProcessHandle.current().children().filter(one -> !before.contains(one)).findAny().get();
    // The one that ignores TERM has started another by then.
    Conditions.until("what it starts", PATIENCE, () -> shell.descendants().count() == 2);
    left = shell.children().findAny().orElseThrow();
  }

  @AfterEach
  void stop() {
    left.descendants().forEach(ProcessHandle::destroyForcibly);
    left.destroyForcibly();
    shell.destroyForcibly();
    client.close();
    server.close();
  }

  @Test
  void aLossWhileItIsAwaitedKillsIt() throws Exception {
    command.terminate();
    shell.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    CompletableFuture<OptionalInt> ended = CompletableFuture.supplyAsync(() -> await(command));
    Conditions.stays("it goes on", Duration.ofSeconds(1), left::isAlive);
    assertFalse(ended.isDone());
    client.close();
    left.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertEquals(OptionalInt.empty(), ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
  }

  @Test
  void aLossBeforeItIsAwaitedKillsIt() throws Exception {
    command.terminate();
    shell.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    client.close();
    assertTrue(left.isAlive());
    CompletableFuture<OptionalInt> ended = CompletableFuture.supplyAsync(() -> await(command));
    left.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertEquals(OptionalInt.empty(), ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
  }

  private static OptionalInt await(GuardedProcess command) {
    try {
      return command.await();
    } catch (InterruptedException e) {
      throw new CompletionException(e);
    }
  }
}
