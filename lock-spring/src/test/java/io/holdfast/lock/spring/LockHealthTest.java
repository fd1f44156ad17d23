/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.Finding.Promise;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.memory.MemoryServer;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Tests the health of servers that answer, and of those that do not. */
class LockHealthTest {

  private static final ServerReport REPORT =
      new ServerReport(
          "redis:6379",
          "8.0",
          Optional.empty(),
          List.of(
              Finding.ok(Promise.FENCING, "this is well"),
              Finding.warning(Promise.FENCING, "it may forget", "Let it write")));

  /** A client of which only the answer of its servers is made up: in memory there are none. */
  private static LockClient answering(LockClient client, Supplier<List<ServerReport>> answer) {
    return (LockClient)
        Proxy.newProxyInstance(
            LockClient.class.getClassLoader(),
            new Class<?>[] {LockClient.class},
            (proxy, method, arguments) ->
                method.getName().equals("examine")
                    ? answer.get()
                    : method.invoke(client, arguments));
  }

  @Test
  void aServerThatAnswersIsUpAndWhatIsBadIsSaid() {
    try (LockClient client = new MemoryServer().open()) {
      LockHealth health =
          LockHealth.of(Map.of("lockClient", answering(client, () -> List.of(REPORT))));
      assertEquals(Optional.empty(), health.failure());
      String said = health.details().toString();
      assertTrue(said.contains("redis:6379") && said.contains("version=8.0"), said);
      assertTrue(said.contains("it may forget. Let it write"), said);
      assertTrue(!said.contains("this is well"), said);
    }
  }

  @Test
  void oneThatDoesNotAnswerIsDownAndHidesNoOther() {
    LockUnavailableException away = new LockUnavailableException("There was no answer");
    try (LockClient client = new MemoryServer().open()) {
      LockClient good = answering(client, () -> List.of(REPORT));
      LockClient bad =
          answering(
              client,
              () -> {
                throw away;
              });
      LockHealth health = LockHealth.of(Map.of("a", good, "b", bad, "c", good));
      assertSame(away, health.failure().orElseThrow());
      assertEquals("There was no answer", health.details().get("b"));
      assertEquals(health.details().get("a"), health.details().get("c"));
      assertTrue(String.valueOf(health.details().get("a")).contains("it may forget"));
    }
  }
}
