/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.zookeeper.queue.LockPaths;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.common.PathUtils;
import org.junit.jupiter.api.Test;

class LockPathsTest {

  static final List<String> NAMES =
      List.of(
          "order:12345",
          "a/b",
          "a//b",
          "/a/b/",
          "a%2Fb",
          "%2Fa%2Fb%2F",
          ".",
          "..",
          "...",
          "%2E",
          "%2e",
          "../../zookeeper",
          " ",
          "a b",
          "a+b",
          "\u0000",
          "a\u0000",
          "\n",
          "zookeeper",
          "{}",
          "*?[",
          "~",
          "a~0000000001",
          "é",
          "e\u0301",
          "\uD83D\uDD12",
          "\uFFFD",
          "\uFEFF",
          "A",
          "a",
          "x".repeat(512),
          "/".repeat(512));

  private final LockPaths paths = new LockPaths("/holdfast", "lock");

  @Test
  void differentNamesHaveDifferentPathsOfOneSegment() {
    Set<String> seen = new HashSet<>();
    for (String name : NAMES) {
      String path = paths.lock(name);
      PathUtils.validatePath(path);
      assertTrue(path.startsWith("/holdfast/lock/"), path);
      assertEquals(3, path.chars().filter(letter -> letter == '/').count(), path);
      assertTrue(seen.add(path), "twice: " + path);
    }
  }

  @Test
  void theEncodingCanBeUndone() {
    for (String name : NAMES) {
      String encoded = LockPaths.encode(name);
      assertEquals(name, URLDecoder.decode(encoded, StandardCharsets.UTF_8));
      assertEquals(name, LockPaths.decode(encoded));
      assertEquals(name, LockPaths.ownerId(LockPaths.prefix(name) + "-2147483648"));
    }
  }

  @Test
  void aNameThatWasNeverEncodedStaysAsItIs() {
    List.of("50%", "%", "%4", "%zz", "a%2")
        .forEach(name -> assertEquals(name, LockPaths.decode(name)));
  }

  @Test
  void readableNamesStayReadable() {
    assertEquals("/holdfast/lock/order:12345", paths.lock("order:12345"));
    assertEquals("host-17-x_Y-1~", LockPaths.prefix("host-17-x_Y-1"));
  }

  @Test
  void ancestorsAreNamedFromTheTop() {
    assertEquals(List.of("/holdfast", "/holdfast/lock"), paths.ancestors());
    assertEquals(
        List.of("/app", "/app/holdfast", "/app/holdfast/lock"), paths.below("app").ancestors());
    assertEquals("/holdfast/lock", paths.below("").base());
  }
}
