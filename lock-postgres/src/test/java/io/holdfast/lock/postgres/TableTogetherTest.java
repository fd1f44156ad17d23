/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.holdfast.lock.spi.support.Batcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One claim asks twice, and both come to the server together: a statement changes a row once. */
class TableTogetherTest extends TableClaimsTestBase {

  private static final Duration LONGER = Duration.ofSeconds(50);
  private static final Duration SHORTER = Duration.ofSeconds(40);

  private static Share share(String mode) {
    return mode.equals("LOCK") ? Share.LOCK : Share.READ;
  }

  private static <A> List<CompletionStage<A>> together(
      List<Supplier<CompletionStage<A>>> requests) {
    List<CompletionStage<A>> asked = new ArrayList<>();
    Batcher.together(() -> requests.forEach(one -> asked.add(one.get())));
    return asked;
  }

  @ParameterizedTest
  @ValueSource(strings = {"LOCK", "READ"})
  void attempts(String mode) {
    LockBackend<?> backend = backend();
    LockClaim claim = claim(backend, "a", share(mode));
    List<CompletionStage<Attempt>> asked = together(List.of(claim::attempt, claim::attempt));
    // The time of the first is over for a caller that asks again.
    assertInstanceOf(Attempt.Contended.class, get(asked.get(0)));
    assertInstanceOf(Attempt.Granted.class, get(asked.get(1)));
    assertEquals(ReleaseAnswer.FREED, get(claim.release()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"LOCK", "READ"})
  void releases(String mode) {
    LockBackend<?> backend = backend();
    LockClaim claim = claim(backend, "a", share(mode));
    assertTrue(isGranted(claim));
    for (CompletionStage<ReleaseAnswer> one :
        together(
            List.<Supplier<CompletionStage<ReleaseAnswer>>>of(claim::release, claim::release))) {
      assertEquals(ReleaseAnswer.FREED, get(one));
    }
    assertEquals(ReleaseAnswer.FREED, get(claim.release()), "and once more");
    assertTrue(isGranted(claim(backend, "a", Share.LOCK)));
  }

  /** Whatever gathers, nobody asks for what is being freed, and is refused. */
  @ParameterizedTest
  @ValueSource(strings = {"LOCK", "READ"})
  void aReleaseGoesBeforeAnAttemptThatWasAskedForEarlier(String mode) {
    LockBackend<?> backend = backend();
    LockClaim holder = claim(backend, "a", share(mode));
    LockClaim next = claim(backend, "a", Share.LOCK);
    assertTrue(isGranted(holder));
    List<CompletionStage<?>> asked = new ArrayList<>();
    Batcher.together(
        () -> {
          asked.add(next.attempt());
          asked.add(holder.release());
        });
    assertEquals(ReleaseAnswer.FREED, get(asked.get(1)));
    assertInstanceOf(Attempt.Granted.class, get(asked.get(0)));
  }

  /** The last one counts. */
  @ParameterizedTest
  @ValueSource(strings = {"LOCK", "READ"})
  void ends(String mode) {
    LockBackend<?> backend = backend();
    LockClaim claim = claim(backend, "a", share(mode));
    assertTrue(isGranted(claim));
    List<CompletionStage<RenewalAnswer>> asked =
        together(List.of(() -> claim.expireIn(LONGER), () -> claim.expireIn(SHORTER)));
    assertEquals(new RenewalAnswer.Extended(LONGER), get(asked.get(0)));
    assertEquals(new RenewalAnswer.Extended(SHORTER), get(asked.get(1)));
    String left =
        scene
            .server
            .ask(
                "SELECT expires_at - now() <= interval '40 s' FROM holdfast.table_lock"
                    + " WHERE name = 'a'")
            .get(0);
    assertEquals("t", left);
  }

  /** The last one counts, and its holder relies on it. */
  @ParameterizedTest
  @ValueSource(strings = {"LOCK", "READ"})
  @SuppressWarnings("unchecked")
  void aRenewalAfterAnEarlierEnd(String mode) {
    LockBackend<LockClaim> backend = (LockBackend<LockClaim>) backend();
    LockClaim claim = claim(backend, "a", share(mode));
    assertTrue(isGranted(claim));
    List<CompletionStage<?>> asked = new ArrayList<>();
    Batcher.together(
        () -> {
          asked.add(claim.expireIn(SHORTER));
          asked.add(backend.renew(List.of(new RenewalRequest<>(claim, LONGER, LONGER))));
        });
    assertEquals(new RenewalAnswer.Extended(SHORTER), get(asked.get(0)));
    assertEquals(List.of(new RenewalAnswer.Extended(LONGER)), get(asked.get(1)));
    assertEquals(
        List.of("t"),
        scene.server.ask(
            "SELECT expires_at - now() > interval '40 s' FROM holdfast.table_lock"
                + " WHERE name = 'a'"));
  }

  /** Each has the answer to its own question. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void renewalsOfLocksAndShares(boolean locksFirst) {
    LockBackend<?> backend = backend();
    List<LockClaim> claims = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      boolean lock = locksFirst == (i % 2 == 0);
      LockClaim claim = claim(backend, "m" + i, lock ? Share.LOCK : Share.READ);
      assertTrue(isGranted(claim));
      claims.add(claim);
    }
    scene.server.ask("UPDATE holdfast.table_lock SET owner = NULL WHERE name IN ('m2', 'm5')");
    List<RenewalAnswer> answers = renewed(backend, claims);
    for (int i = 0; i < 6; i++) {
      assertEquals(i == 2 || i == 5, answers.get(i) instanceof RenewalAnswer.Lost, "m" + i);
    }
  }
}
