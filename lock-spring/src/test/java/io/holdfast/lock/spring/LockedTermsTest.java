/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.memory.MemoryServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

/** The terms on which a {@link Locked} method asks: those of its source, but for what it says. */
class LockedTermsTest {

  private static final Renewal EVERY_THREE_SECONDS = Renewal.every(Duration.ofSeconds(3));
  private static final LockOptions USUAL =
      LockOptions.defaults().withTtl(Duration.ofSeconds(30)).withRenewal(EVERY_THREE_SECONDS);

  /** With every kind of terms. */
  static class Jobs {

    @Locked(name = "n")
    public void plain() {}

    @Locked(name = "n", ttl = "6s")
    public void longEnough() {}

    @Locked(name = "n", ttl = "5999ms")
    public void tooShort() {}

    @Locked(name = "n", minHold = "2s")
    public void atLeast() {}

    @Locked(name = "n", minHold = "0s")
    public void notAtLeast() {}

    @Locked(name = "n", ttl = "9s", minHold = "2s")
    public void both() {}
  }

  private static LockOptions terms(String method, LockOptions usual) throws Exception {
    ClientOptions options = ClientOptions.defaults().withLockOptions(usual);
    try (LockClient client = new MemoryServer().open(options)) {
      return new LockedMethods(new StaticListableBeanFactory())
          .get(Jobs.class.getMethod(method), Jobs.class)
          .views(new ClientLockSource(client), "n")
          .lock()
          .options();
    }
  }

  @Test
  void areThoseOfTheSourceButForWhatTheMethodSays() throws Exception {
    Duration two = Duration.ofSeconds(2);
    assertEquals(USUAL, terms("plain", USUAL));
    assertEquals(USUAL.withMinHold(two), terms("atLeast", USUAL));
    assertEquals(USUAL.withTtl(Duration.ofSeconds(9)).withMinHold(two), terms("both", USUAL));
  }

  @Test
  void noMinimumHoldReplacesThatOfTheSource() throws Exception {
    assertEquals(USUAL, terms("notAtLeast", USUAL.withMinHold(Duration.ofSeconds(2))));
  }

  /** Two renewals have to fit into the TTL. */
  @Test
  void keepAnIntervalThatFitsIntoTheTtl() throws Exception {
    assertEquals(USUAL.withTtl(Duration.ofSeconds(6)), terms("longEnough", USUAL));
    assertEquals(
        USUAL.withRenewal(Renewal.automatic()).withTtl(Duration.ofMillis(5_999)),
        terms("tooShort", USUAL));
    LockOptions fixed = USUAL.withRenewal(Renewal.none());
    assertEquals(fixed.withTtl(Duration.ofMillis(5_999)), terms("tooShort", fixed));
  }
}
