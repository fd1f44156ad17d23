/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.cli.Main;
import io.holdfast.lock.servers.ChildJvm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the whole demonstration as a process of its own. The demonstrations mostly wait, and know
 * nothing of one another.
 */
@Execution(ExecutionMode.CONCURRENT)
class DemoTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern PROCESS = Pattern.compile("process (\\d+)");

  private final List<String> output = Collections.synchronizedList(new ArrayList<>());

  @ParameterizedTest
  @ValueSource(strings = {"redis", "redlock", "zookeeper", "postgres-row"})
  void endsWellAndLeavesNoProcess(String backend) throws Exception {
    endsWell(backend);
  }

  @Tag("other-jdk")
  @ParameterizedTest
  @ValueSource(strings = {"etcd", "postgres-advisory", "postgres-table"})
  void endsWellWithTheOthers(String backend) throws Exception {
    endsWell(backend);
  }

  private void endsWell(String backend) throws Exception {
    // Of a row's session, less than half a TTL so short would be left to be busy in.
    String ttl = backend.equals("postgres-row") ? "5s" : "4s";
    try (ChildJvm demo = demo("--backend", backend, "--ttl", ttl, "--slack", "10s")) {
      int exitCode = demo.awaitExit(PATIENCE);
      String text = text();
      assertEquals(0, exitCode, text + demo.errors());
      // On a busy machine one may lose its lock between two acts, as it has to.
      assertTrue(
          Pattern.compile("OK: [4-9]\\d* leases, never two at a time").matcher(text).find(), text);
      assertEquals(List.of(), demo.errors());
      assertTrue(output.stream().allMatch(line -> line.length() <= 80), text);
    }
    assertNothingLives();
  }

  @Test
  void leavesNoProcessWhenItIsInterrupted() throws Exception {
    try (ChildJvm demo = demo("--backend", "zookeeper", "--ttl", "4s", "--slack", "10s")) {
      demo.awaitLine(line -> line.contains("SIGSTOP"), PATIENCE);
      demo.terminate();
    }
    assertNothingLives();
  }

  @Test
  void leavesNoProcessWhenItIsKilled() throws Exception {
    try (ChildJvm demo = demo("--backend", "zookeeper", "--ttl", "4s", "--slack", "10s")) {
      demo.awaitLine(line -> line.contains("HOLDS"), PATIENCE);
      demo.kill();
    }
    assertNothingLives();
  }

  @Test
  void refusesWhatCannotBeShown() {
    assertRefused("one process", "--backend", "memory");
    assertRefused(
        "--backend must be redis, redlock, zookeeper, etcd, postgres-advisory",
        "--backend",
        "consul");
    assertRefused("such as 1500ms", "--ttl", "10");
    assertRefused("--ttl must be from 1s to 60s", "--ttl", "100ms");
  }

  private void assertRefused(String hint, String... options) {
    try (ChildJvm demo = demo(options)) {
      assertEquals(2, demo.awaitExit(PATIENCE));
      assertTrue(demo.errors().toString().contains(hint), demo.errors().toString());
    }
  }

  private ChildJvm demo(String... options) {
    List<String> arguments = new ArrayList<>(List.of("demo"));
    arguments.addAll(List.of(options));
    return ChildJvm.start(Main.class, output::add, arguments.toArray(String[]::new));
  }

  private void assertNothingLives()
      throws InterruptedException, ExecutionException, TimeoutException {
    List<Long> started = PROCESS.matcher(text()).results().map(DemoTest::number).toList();
    long servers = output.stream().filter(line -> line.startsWith("  server:")).count();
    assertEquals(3 + servers, started.size(), text());
    for (long pid : started) {
      Optional<ProcessHandle> process = ProcessHandle.of(pid);
      if (process.isPresent()) {
        process.get().onExit().get(30, TimeUnit.SECONDS);
      }
    }
  }

  private String text() {
    synchronized (output) {
      return String.join("\n", output);
    }
  }

  private static long number(MatchResult match) {
    return Long.parseLong(match.group(1));
  }
}
