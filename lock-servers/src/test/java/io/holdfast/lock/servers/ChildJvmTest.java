/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChildJvmTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Answers lines, and ends with its input. */
  static final class Echo {
    public static void main(String[] args) throws IOException {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
      System.out.println("ready " + String.join(" ", args));
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        System.err.println("err " + line);
        System.out.println("echo " + line);
      }
    }
  }

  /** Starts a server, suspends it, and waits to be killed. */
  static final class Parent {
    public static void main(String[] args) throws IOException {
      RedisServer redis = RedisServer.launch();
      String pid =
          redis
              .command("INFO", "server")
              .lines()
              .filter(line -> line.startsWith("process_id:"))
              .map(line -> line.substring("process_id:".length()))
              .findFirst()
              .orElseThrow();
      redis.suspend();
      System.out.println("redis " + pid);
      System.out.println("end " + System.in.read());
    }
  }

  @Test
  void talks() {
    try (ChildJvm child = ChildJvm.start(Echo.class, "a b", "ä")) {
      assertEquals("ready a b ä", child.awaitLine(line -> line.startsWith("ready"), PATIENCE));
      child.send("one");
      child.send("two");
      assertEquals("echo two", child.awaitLine(line -> line.endsWith("two"), PATIENCE));
      assertEquals(OptionalInt.empty(), child.exitCode());
      // Standard error is read by another thread.
      Until.holds("its errors are read", () -> child.errors().contains("err one"));

      IllegalStateException error =
          assertThrows(
              IllegalStateException.class,
              () -> child.awaitLine(line -> line.equals("never"), Duration.ofMillis(50)));
      assertTrue(String.valueOf(error.getMessage()).contains("echo one"), error.getMessage());
      assertTrue(String.valueOf(error.getMessage()).contains("err one"), error.getMessage());

      child.terminate();
      assertEquals("hook", child.awaitLine(line -> line.equals("hook"), PATIENCE));
      assertEquals(143, child.awaitExit(PATIENCE));
    }
  }

  @Test
  void stopsTalkingWhileItIsSuspendedAndDiesAllTheSame() {
    ChildJvm child = ChildJvm.start(Echo.class);
    child.awaitLine(line -> line.startsWith("ready"), PATIENCE);
    child.suspend();
    child.send("one");
    assertThrows(
        IllegalStateException.class,
        () -> child.awaitLine(line -> line.equals("echo one"), Duration.ofMillis(100)));
    child.resume();
    child.awaitLine(line -> line.equals("echo one"), PATIENCE);
    child.suspend();
    child.close();
    child.close();
    assertEquals(OptionalInt.of(137), child.exitCode());
    assertThrows(IllegalStateException.class, child::suspend);
    assertThrows(UncheckedIOException.class, () -> child.send("gone"));
    assertThrows(
        IllegalStateException.class, () -> child.awaitLine(line -> line.equals("x"), PATIENCE));
  }

  @Test
  void takesItsServersAndFilesAlongWhenItIsKilled() throws Exception {
    try (ChildJvm parent = ChildJvm.start(Parent.class)) {
      String line = parent.awaitLine(text -> text.startsWith("redis "), PATIENCE);
      ProcessHandle redis =
          ProcessHandle.of(Long.parseLong(line.substring("redis ".length()))).orElseThrow();
      Path directory = Files.readSymbolicLink(Path.of("/proc/" + redis.pid() + "/cwd"));
      assertTrue(Files.exists(directory));
      parent.kill();
      redis.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      Until.holds("the directory is gone", () -> !Files.exists(directory.getParent()));
      assertFalse(redis.isAlive());
    }
  }
}
