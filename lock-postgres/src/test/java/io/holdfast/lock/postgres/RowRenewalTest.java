/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what the answer to a renewal of a row is good for. */
class RowRenewalTest extends TableClaimsTestBase {

  private static final Duration SESSION = Duration.ofSeconds(8);

  @Override
  LockBackend<?> backend(String... more) {
    return scene.closing(
        new RowLockProvider().open(new Settings(RowLockProvider.NAME, patient(more))));
  }

  /** A host that vanishes has its row freed by the server's settings, and not by a TTL. */
  @Test
  void aRenewalIsGoodForAsLongAsAGrantWhateverTheTtl() {
    LockBackend<?> backend = backend("session-timeout", SESSION.toSeconds() + "s");
    LockClaim claim = claim(backend, "a", Share.LOCK);
    Duration granted = assertInstanceOf(Attempt.Granted.class, get(claim.attempt())).leaseTime();
    assertTrue(granted.compareTo(SESSION) < 0 && SESSION.compareTo(TTL) < 0, granted.toString());
    assertEquals(new RenewalAnswer.Extended(granted), renewed(backend, claim));
    assertEquals(ReleaseAnswer.FREED, get(claim.release()));
  }

  /** The others of the same question have answers of their own. */
  @Test
  void aClaimThatHasNoRowAnyMoreIsLost() {
    LockBackend<?> backend = backend();
    LockClaim released = claim(backend, "a", Share.LOCK);
    LockClaim held = claim(backend, "b", Share.LOCK);
    assertTrue(isGranted(released));
    assertTrue(isGranted(held));
    assertEquals(ReleaseAnswer.FREED, get(released.release()));
    List<RenewalAnswer> answers = renewed(backend, List.of(released, held));
    assertEquals(new RenewalAnswer.Lost(LossReason.SESSION_ENDED), answers.get(0));
    assertInstanceOf(RenewalAnswer.Extended.class, answers.get(1));
    assertEquals(ReleaseAnswer.FREED, get(held.release()));
  }
}
