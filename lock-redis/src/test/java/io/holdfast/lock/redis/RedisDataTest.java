/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.LONG;
import static io.holdfast.lock.redis.RedisHarness.SHORT;
import static io.holdfast.lock.redis.RedisHarness.expect;
import static io.holdfast.lock.redis.RedisHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the data at the server, and changes of it by others. */
class RedisDataTest {

  private final RedisHarness scene = new RedisHarness();

  @AfterEach
  void end() {
    scene.close();
  }

  @Test
  void peopleCanReadWhoHoldsALock() throws InterruptedException {
    Lease lease = scene.client().lock("order:1", LONG).acquire();
    assertEquals(lease.ownerId(), scene.server.command("GET", "lock:order:1"));
    assertTrue(Long.parseLong(scene.server.command("PTTL", "lock:order:1")) > 100_000);
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    assertEquals(List.of("lock#token"), scene.server.values("KEYS", "*"));
  }

  @Test
  void scriptsComeBackAfterTheServerForgotThem() throws InterruptedException {
    LockClient client = scene.client();
    Lease held = client.lock("held", SHORT).acquire();
    scene.server.command("SCRIPT", "FLUSH");
    Lease lease = client.lock("a", LONG).acquire();
    scene.server.command("SCRIPT", "FLUSH");
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    scene.server.command("SCRIPT", "FLUSH");
    until("a renewal by script", () -> scene.info("commandstats", "cmdstat_eval:calls=") >= 3);
    assertTrue(held.isValid());
  }

  @Test
  void tokensGrowThroughARestartWithoutData() throws InterruptedException {
    LockClient client = scene.client();
    long before = 0;
    for (int i = 0; i < 5; i++) {
      try (Lease lease = client.lock("a", SHORT).acquire()) {
        assertTrue(lease.fencingToken() > before);
        before = lease.fencingToken();
      }
    }
    scene.server.kill();
    scene.server.start();
    assertEquals(List.of(), scene.server.values("KEYS", "*"));
    assertTrue(client.lock("a", SHORT).acquire().fencingToken() > before);
  }

  @Test
  void whenAllIsFlushedHoldersAreTold() throws Exception {
    Lease lease = scene.client().lock("a", SHORT).acquire();
    scene.server.command("FLUSHALL");
    assertEquals(LossReason.REVOKED, RedisHarness.get(lease.loss()).reason());
    assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release());
  }

  @Test
  void programsInOtherLanguagesTakePart() throws InterruptedException {
    LockClient client = scene.client();
    assertEquals("OK", scene.server.command("SET", "lock:a", "python-1", "NX", "PX", "60000"));
    assertTrue(client.lock("a", LONG).tryAcquire().isEmpty());
    assertEquals("python-1", scene.server.command("GET", "lock:a"));
    assertEquals("1", scene.server.command("DEL", "lock:a"));
    Lease lease = client.lock("a", LONG).acquire();
    assertEquals("", scene.server.command("SET", "lock:a", "python-2", "NX", "PX", "60000"));
    assertEquals(lease.ownerId(), scene.server.command("GET", "lock:a"));
  }

  @Test
  void somethingElseAtTheKeyIsRefusedAndLeftAlone() throws Exception {
    LockClient client = scene.client();
    scene.server.command("RPUSH", "lock:a", "x", "y");
    LockRejectedException refused =
        expect(LockRejectedException.class, () -> client.lock("a", LONG).acquire());
    assertTrue(String.valueOf(refused.getMessage()).contains("lock:a"), refused.getMessage());
    assertEquals(List.of("x", "y"), scene.server.values("LRANGE", "lock:a", "0", "-1"));

    Lease lease = client.lock("b", SHORT).acquire();
    Lease other = client.lock("c", SHORT).acquire();
    scene.server.command("DEL", "lock:b");
    scene.server.command("RPUSH", "lock:b", "x");
    assertEquals(LossReason.REVOKED, RedisHarness.get(lease.loss()).reason());
    assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release());
    assertEquals("list", scene.server.command("TYPE", "lock:b"));
    assertTrue(other.isValid());

    Lease overwritten = client.lock("d", LONG).acquire();
    scene.server.command("DEL", "lock:d");
    scene.server.command("RPUSH", "lock:d", "x");
    assertEquals(ReleaseOutcome.ALREADY_LOST, overwritten.release());
    assertEquals("list", scene.server.command("TYPE", "lock:d"));
  }

  @Test
  void withoutMemoryNothingIsTakenAndReleasesWork() throws InterruptedException {
    LockClient client = scene.client();
    Lease held = client.lock("held", LONG).acquire();
    scene.server.command("CONFIG", "SET", "maxmemory", "1");
    LockUnavailableException full =
        expect(LockUnavailableException.class, () -> client.lock("a", LONG).tryAcquire());
    assertTrue(String.valueOf(full.getMessage()).contains("maxmemory"), full.getMessage());
    assertEquals(ReleaseOutcome.RELEASED, held.release());
    assertEquals(List.of(), scene.lockKeys());
    scene.server.command("CONFIG", "SET", "maxmemory", "0");
    assertEquals(ReleaseOutcome.RELEASED, client.lock("a", LONG).acquire().release());
  }

  @Test
  void oneCounterServesAllNamesAndMayGetLost() throws InterruptedException {
    LockClient client = scene.client();
    long before = 0;
    for (int i = 0; i < 50; i++) {
      if (i % 10 == 9) {
        scene.server.command("DEL", "lock#token");
      }
      try (Lease lease = client.lock("name-" + i, LONG).acquire()) {
        assertTrue(lease.fencingToken() > before);
        before = lease.fencingToken();
      }
    }
    assertEquals(List.of("lock#token"), scene.server.values("KEYS", "*"));
  }

  @Test
  void aCounterThatIsNoNumberIsRefusedAndLeftAlone() {
    LockClient client = scene.client();
    for (String overwritten : List.of("nan", "-nan", "inf", "-1", "9007199254740992", "x")) {
      scene.server.command("SET", "lock#token", overwritten);
      assertThrows(
          LockRejectedException.class, () -> client.lock("a", LONG).tryAcquire(), overwritten);
      assertEquals(overwritten, scene.server.command("GET", "lock#token"));
    }
    assertEquals(List.of("lock#token"), scene.server.values("KEYS", "*"));
  }

  @Test
  void differentNamesAreDifferentKeys() throws InterruptedException {
    LockClient client = scene.client();
    List<String> names =
        List.of(
            "a",
            "A",
            "a ",
            " a",
            "a:b",
            "a::b",
            "a/b",
            "a\\b",
            "{a}",
            "{a}b",
            "a*",
            "a?",
            "[a]",
            "#token",
            "token",
            "\u00e9",
            "e\u0301",
            "\u00c9",
            "\ud83d\udd12",
            "\u0000",
            "a\u0000",
            "\r\n",
            "'",
            "\"",
            "lock:a",
            "x".repeat(512),
            "x".repeat(511));
    List<Lease> leases = new ArrayList<>();
    for (String name : names) {
      leases.add(client.lock(name, LONG).tryAcquire(Duration.ofSeconds(5)).orElseThrow());
    }
    assertEquals(names.size(), new HashSet<>(scene.lockKeys()).size());
    for (Lease lease : leases) {
      assertEquals(ReleaseOutcome.RELEASED, lease.release());
    }
    assertEquals(List.of(), scene.lockKeys());
    assertFalse(names.isEmpty());
  }
}
