/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Random steps with some claims of one name. After each, the ends in the tables are those of a
 * model: of shares that were not touched to the microsecond, and the name's is the last of them.
 */
class TableShareModelTest extends TableClaimsTestBase {

  private static final int CLAIMS = 5;
  private static final int STEPS = 120;
  private static final int CAPACITY = 1_000;
  private static final List<Duration> TIMES =
      List.of(Duration.ofMillis(500), Duration.ofSeconds(20), Duration.ofHours(1));

  /** A step that an end might fall into waits until that is over; some wait for all short times. */
  private static final long STEP_MICROS = 300_000;

  private static final long SHORT_MICROS = 600_000;

  /** One contender, with its time to live. */
  private record Contender(LockClaim claim, String owner, Duration ttl) {}

  private enum Action {
    GRANT,
    RENEW,
    EXTEND,
    REDUCE,
    RELEASE,
    KEEP,
    EXPIRE_IN,
    EVICT,
    USE_OTHERWISE
  }

  private static final List<Action> ACTIONS = List.of(Action.values());

  /** A time that a step has set; and what was asked for before and the end, if it only adds. */
  private record Change(String owner, Duration time, long asked, long end) {}

  /** One run: the ends that there have to be, and what is done next. */
  private final class Run {

    private final String name;
    private final Random random;
    private final LockBackend<?> backend;
    private final LockInspection inspection;
    private final Connection eye;
    private final List<Contender> contenders = new ArrayList<>();
    private final Map<String, Long> ends = new TreeMap<>();

    /**
     * Until when each was asked for at least. What the server has added to that, as a request was
     * slow, a renewal may take back.
     */
    private final Map<String, Long> asked = new HashMap<>();

    private final List<Change> changes = new ArrayList<>();
    private final List<Runnable> answers = new ArrayList<>();
    private int owners;
    private String told;

    Run(long seed, LockBackend<?> backend, Connection eye) {
      this.name = "s" + seed;
      this.random = new Random(seed);
      this.backend = backend;
      this.inspection = backend.inspection().orElseThrow();
      this.eye = eye;
      this.told = "seed " + seed;
      for (int i = 0; i < CLAIMS; i++) {
        contenders.add(contender());
      }
    }

    private Contender contender() {
      String owner = "of-" + ++owners;
      Duration ttl = time();
      return new Contender(
          backend.claim(new ClaimRequest(name, owner, ttl, Share.of(2, CAPACITY)), DEAF),
          owner,
          ttl);
    }

    private Duration time() {
      return TIMES.get(random.nextInt(TIMES.size()));
    }

    private Action action() {
      return ACTIONS.get(random.nextInt(ACTIONS.size()));
    }

    private ShareView look() {
      try {
        return ShareView.of(eye, name);
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }

    /** Not while something ends. */
    private ShareView before() {
      long margin = random.nextInt(30) == 0 ? SHORT_MICROS : STEP_MICROS;
      ShareView[] seen = new ShareView[1];
      PostgresHarness.await(
          "no end within a step",
          () -> {
            seen[0] = look();
            return seen[0].shares().values().stream()
                .noneMatch(end -> end - seen[0].now() < margin);
          });
      ends.values().removeIf(end -> end <= seen[0].now());
      return seen[0];
    }

    void step(int number) {
      int place = random.nextInt(CLAIMS);
      ShareView before = before();
      assertAgree(before, told + ", before step " + number);
      Contender contender = contenders.get(place);
      boolean held = ends.containsKey(contender.owner);
      Action action = held || random.nextInt(3) == 0 ? action() : Action.GRANT;
      Duration time = time();
      told = told.replaceFirst(",.*", "") + ", step " + number + ": " + action + " " + time;
      changes.clear();
      answers.clear();
      boolean isNext = act(action, contender, time, held);
      ShareView after = look();
      if (after.now() - before.now() >= STEP_MICROS) {
        // The machine stood still, and nobody knows which ends came before.
        asked.clear();
        ends.clear();
        ends.putAll(after.shares());
        contenders.set(place, contender());
        return;
      }
      answers.forEach(Runnable::run);
      changes.forEach(change -> take(change, before, after));
      assertAgree(after, told + " of " + contender.owner);
      if (isNext) {
        contenders.set(place, contender());
      }
    }

    /** Whether the claim is over. */
    private boolean act(Action action, Contender contender, Duration time, boolean held) {
      LockClaim claim = contender.claim;
      String owner = contender.owner;
      switch (action) {
        case GRANT -> {
          expectInstance(Attempt.Granted.class, get(claim.attempt()));
          changes.add(longer(owner, contender.ttl));
        }
        case RENEW, EXTEND -> {
          Duration more = action == Action.RENEW ? contender.ttl : time;
          expectHeld(held, renewed(backend, claim, more));
          // What it takes back is taken back before the next request.
          get(inspection.holder(name));
          if (held) {
            changes.add(longer(owner, more));
          }
        }
        case REDUCE -> expectHeld(held, get(claim.reduceTo(1)));
        case RELEASE -> {
          expectHeld(held, get(claim.release()));
          ends.remove(owner);
          return true;
        }
        case KEEP -> {
          expectHeld(held, get(claim.release(time)));
          if (held) {
            changes.add(new Change(owner, time, 0, 0));
          }
          return true;
        }
        case EXPIRE_IN -> {
          expectHeld(held, get(claim.expireIn(time)));
          if (held) {
            changes.add(new Change(owner, time, 0, 0));
          }
        }
        case EVICT -> evict();
        case USE_OTHERWISE -> useOtherwise();
      }
      return false;
    }

    private Change longer(String owner, Duration time) {
      long end = ends.getOrDefault(owner, 0L);
      return new Change(owner, time, Math.min(end, asked.getOrDefault(owner, 0L)), end + 1);
    }

    private void expectHeld(boolean held, ReleaseAnswer answer) {
      expect(held ? ReleaseAnswer.FREED : ReleaseAnswer.NOT_OURS, answer);
    }

    private void expectHeld(boolean held, RenewalAnswer answer) {
      expectInstance(held ? RenewalAnswer.Extended.class : RenewalAnswer.Lost.class, answer);
    }

    private void expect(Object expected, Object answer) {
      answers.add(() -> assertEquals(expected, answer, told));
    }

    private void expectInstance(Class<?> expected, Object answer) {
      answers.add(() -> assertInstanceOf(expected, answer, told));
    }

    private void evict() {
      List<LockHolder> holders = get(inspection.holders(name));
      expect(
          Set.copyOf(ends.keySet()),
          holders.stream().map(one -> one.ownerId().orElseThrow()).collect(Collectors.toSet()));
      boolean all = random.nextInt(4) == 0;
      for (LockHolder victim : holders) {
        if (all || random.nextInt(holders.size()) == 0) {
          expect(true, get(inspection.evict(victim)));
          ends.remove(victim.ownerId().orElseThrow());
        }
      }
    }

    /** As a lock, or with another capacity: only while nobody has it. */
    private void useOtherwise() {
      Share share = random.nextBoolean() ? Share.LOCK : Share.of(1, CAPACITY + 1);
      LockClaim other = claim(backend, name, share);
      try {
        expectInstance(Attempt.Granted.class, get(other.attempt()));
        expect(true, ends.isEmpty());
      } catch (CompletionException e) {
        expectInstance(LockCapacityException.class, Objects.requireNonNullElse(e.getCause(), e));
        expect(false, ends.isEmpty());
      }
      expectHeld(ends.isEmpty(), get(other.release()));
    }

    private void take(Change change, ShareView before, ShareView after) {
      long micros = change.time.toNanos() / 1_000;
      long end = after.shares().getOrDefault(change.owner, 0L);
      long earliest = Math.max(change.asked, before.now() + micros);
      long latest = Math.max(change.end, after.now() + micros);
      assertTrue(
          earliest <= end && end <= latest,
          () -> told + ": from " + earliest + " to " + latest + " was expected, but is " + end);
      ends.put(change.owner, end);
      asked.put(change.owner, earliest);
    }

    private void assertAgree(ShareView seen, String when) {
      assertEquals(ends, seen.shares(), when);
      assertEquals(ends.isEmpty() ? "" : "shares of " + CAPACITY, seen.usedBy(), when);
      ends.values().stream()
          .mapToLong(Long::longValue)
          .max()
          .ifPresent(last -> assertEquals(last, seen.end(), when + ", of the name"));
    }
  }

  /** Some seeds are always the same: what they meet once, they meet each time. */
  @Test
  void endsAreWhatTheyWereSetTo() throws Exception {
    LockBackend<?> backend = backend();
    Connection eye = scene.connect();
    for (long seed : new long[] {1, 2, 3, 4, System.nanoTime()}) {
      Run run = new Run(seed, backend, eye);
      for (int i = 1; i <= STEPS; i++) {
        run.step(i);
      }
    }
  }
}
