/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockInspector;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.LockInspection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests how the engine uses a backend's answers about holders. */
@Timeout(60)
class InspectionTest {

  private final MemoryHarness scene = new MemoryHarness();
  private final List<LockClient> more = new ArrayList<>();

  /** How often a server was asked that may fail to tell. */
  private final AtomicInteger asked = new AtomicInteger();

  @AfterEach
  void close() {
    more.forEach(LockClient::close);
    scene.close();
  }

  @Test
  void aHolderIsToldWithTheTokenThatItsLeaseHas() {
    Lease lease = MemoryHarness.granted(scene.lock("a").acquireAsync());
    scene.time.advance(Duration.ofSeconds(1));
    LockHolder told = scene.client().inspector().holder("a").orElseThrow();
    assertEquals(
        new LockHolder(
            "a",
            Optional.of(lease.ownerId()),
            OptionalLong.of(lease.fencingToken()),
            Optional.empty(),
            Optional.of(Duration.ofSeconds(9))),
        told);
  }

  @Test
  void manyAreListedInTheOrderOfTheirNamesUpToTheLimit() {
    LockClient client = scene.client();
    List<String> names =
        IntStream.range(0, 300).mapToObj(i -> String.format(Locale.ROOT, "n%03d", i)).toList();
    names.forEach(
        name -> MemoryHarness.granted(client.lock(name, MemoryHarness.TEN_SECONDS).acquireAsync()));
    LockInspector inspector = scene.client().inspector();
    assertEquals(names, names(inspector.held(Integer.MAX_VALUE)));
    assertEquals(names.subList(0, 65), names(inspector.held(65)));
    assertEquals(names.subList(0, 1), names(inspector.held(1)));
  }

  /** A server may have very many. */
  @Test
  void aListAsksForAFewHoldersAtATimeAndForNoMoreThanItHasRoomFor() {
    LockClient client = scene.client();
    IntStream.range(0, 150)
        .forEach(i -> client.lock("n" + i, MemoryHarness.TEN_SECONDS).acquireAsync());
    LockInspector inspector = failing("", new LockUnavailableException("never"), 0);
    inspector.held(1);
    assertEquals(64, asked.getAndSet(0));
    inspector.held(65);
    assertEquals(128, asked.get());
  }

  private static List<String> names(List<LockHolder> held) {
    return held.stream().map(LockHolder::lockName).toList();
  }

  @Test
  void onlyThatVeryHolderIsTakenTheLockAwayFrom() {
    Lease lease = MemoryHarness.granted(scene.lock("a").acquireAsync());
    LockInspector inspector = scene.client().inspector();
    LockHolder told = inspector.holder("a").orElseThrow();
    LockHolder before =
        new LockHolder(
            "a",
            told.ownerId(),
            OptionalLong.of(lease.fencingToken() - (1 << 10)),
            told.session(),
            told.expiresIn());
    assertFalse(inspector.evict(before), "an older lease was meant");
    assertTrue(lease.isValid());
    assertTrue(inspector.evict(told));
    assertFalse(inspector.evict(told), "twice");
    scene.time.advance(Duration.ofSeconds(4));
    assertEquals(LossReason.REVOKED, lease.loss().join().reason());
  }

  @Test
  void aViewWithAPrefixLooksAtItsOwnNamesOnly() {
    LockClient client = scene.client();
    LockClient part = client.within("x");
    LockOptions terms = MemoryHarness.TEN_SECONDS;
    Lease inside = MemoryHarness.granted(part.lock("a", terms).acquireAsync());
    Lease outside = MemoryHarness.granted(client.lock("a", terms).acquireAsync());
    LockInspector inspector = part.inspector();
    assertEquals(List.of("x:a"), names(inspector.held(10)));
    assertEquals(List.of(Optional.of(inside.ownerId())), owners(inspector.holders("a")));
    LockHolder other = client.inspector().holder("a").orElseThrow();
    assertThrows(IllegalArgumentException.class, () -> inspector.evict(other));
    assertTrue(inspector.evict(inspector.holder("a").orElseThrow()));
    scene.time.advance(Duration.ofSeconds(4));
    assertFalse(inside.isValid());
    assertTrue(outside.isValid());
  }

  private static List<Optional<String>> owners(List<LockHolder> holders) {
    return holders.stream().map(LockHolder::ownerId).toList();
  }

  @Test
  void everyNameOfAViewHasThePrefix() {
    LockClient client =
        scene.server.open(
            ClientOptions.defaults().withPermits(2).withCallbackExecutor(Runnable::run));
    more.add(client);
    LockClient part = client.within("x");
    LockOptions terms = MemoryHarness.TEN_SECONDS;
    for (DistributedLock each :
        List.of(
            part.lock("a"),
            part.lock("b", terms),
            part.readWriteLock("c").readLock(),
            part.readWriteLock("d", terms).writeLock(),
            part.semaphore("e").permit(),
            part.semaphore("f", 3).permit(),
            part.semaphore("g", 3, terms).permits(2),
            part.allOf(List.of("h", "i")),
            part.allOf(List.of("j", "k"), terms),
            part.within("y").lock("l"))) {
      MemoryHarness.granted(each.acquireAsync());
    }
    List<String> expected =
        Stream.concat(
                "abcdefghijk".chars().mapToObj(name -> "x:" + (char) name), Stream.of("x:y:l"))
            .toList();
    assertEquals(expected, names(client.inspector().held(100)));
    assertEquals(expected, names(part.inspector().held(100)));
  }

  @Test
  void aViewWithAPrefixChangesTheCapacityOfItsOwnNamesOnly() {
    LockClient client = scene.client();
    LockClient part = client.within("x");
    for (LockClient each : List.of(client, part)) {
      MemoryHarness.granted(
          each.semaphore("a", 3, MemoryHarness.TEN_SECONDS).permit().acquireAsync());
    }
    assertTrue(part.inspector().changeCapacity("a", 3, 5));
    assertEquals(5, capacity(part));
    assertEquals(3, capacity(client));
  }

  private static int capacity(LockClient client) {
    return client.inspector().holders("a").get(0).share().capacity();
  }

  @Test
  void aServerThatIsAwayIsTold() {
    LockInspector inspector = scene.client().inspector();
    scene.server.goAway();
    assertThrows(LockUnavailableException.class, () -> inspector.holder("a"));
    assertThrows(LockUnavailableException.class, () -> inspector.held(10));
    scene.server.comeBack();
    assertEquals(Optional.empty(), inspector.holder("a"));
  }

  /** A lock that changes hands has no quorum for a moment. */
  @Test
  void aListAsksAgainForAHolderThatIsUnknownForAMoment() {
    LockInspector inspector = failing("b", new LockUnavailableException("No quorum"), 2);
    assertEquals(List.of("a", "b", "c"), names(inspector.held(10)));
    LockInspector never = failing("b", new LockUnavailableException("No quorum"), 3);
    assertThrows(LockUnavailableException.class, () -> never.held(10));
  }

  @Test
  void aListIsWithoutWhatItsClientMayNotSeeUnlessThatIsAll() {
    LockRejectedException refusal = new LockRejectedException("Not permitted");
    assertEquals(
        List.of("a", "c"), names(failing("b", refusal, Integer.MAX_VALUE).held(Integer.MAX_VALUE)));
    assertThrows(
        LockRejectedException.class, () -> failing("", refusal, Integer.MAX_VALUE).held(10));
  }

  /** Of the locks a, b and c, whose servers do not tell so often who holds those of a name. */
  private LockInspector failing(String name, LockException why, int times) {
    List.of("a", "b", "c").forEach(one -> scene.lock(one).tryAcquireAsync());
    LockInspection all = scene.server.backend().inspection().orElseThrow();
    AtomicInteger left = new AtomicInteger(times);
    LockInspection some =
        new LockInspection() {
          @Override
          public CompletionStage<Optional<LockHolder>> holder(String lockName) {
            asked.incrementAndGet();
            return lockName.contains(name) && left.getAndDecrement() > 0
                ? CompletableFuture.failedFuture(why)
                : all.holder(lockName);
          }

          @Override
          public CompletionStage<Set<String>> names() {
            return all.names();
          }

          @Override
          public CompletionStage<Boolean> evict(LockHolder holder) {
            return all.evict(holder);
          }
        };
    LockClient asking =
        Locks.using(
            new ForwardingBackend(scene.server) {
              @Override
              public Optional<LockInspection> inspection() {
                return Optional.of(some);
              }
            },
            ClientOptions.defaults().withTime(scene.time));
    more.add(asking);
    return asking.inspector();
  }

  @Test
  void aBackendThatCannotTellHasNoInspector() {
    LockClient client =
        Locks.using(
            new ForwardingBackend(scene.server), ClientOptions.defaults().withTime(scene.time));
    more.add(client);
    assertThrows(UnsupportedOperationException.class, client::inspector);
    assertThrows(UnsupportedOperationException.class, client.within("x")::inspector);
  }

  @Test
  void aClosedClientIsNotAsked() {
    LockClient client = scene.client();
    LockInspector inspector = client.inspector();
    client.close();
    assertThrows(LockClosedException.class, () -> inspector.holder("a"));
    assertThrows(LockClosedException.class, client::inspector);
  }

  @Test
  void aHolderThatIsNobodyIsNone() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new LockHolder(
                "a", Optional.empty(), OptionalLong.of(1), Optional.empty(), Optional.empty()));
  }
}
