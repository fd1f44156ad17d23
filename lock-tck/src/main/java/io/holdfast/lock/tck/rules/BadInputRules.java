/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.Retry;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** BI: bad input is refused before anything is sent, in the same way everywhere. */
public final class BadInputRules {

  private static final List<String> BAD_NAMES =
      List.of(
          "",
          "x".repeat(513),
          "\u00e9".repeat(257),
          "\ud83d\udd12".repeat(129),
          "x".repeat(1_200_000),
          "\ud83d",
          "a\udd12b",
          "\udd12\ud83d");

  @Rule(value = "BI-1", lookAt = Rule.ENGINE)
  public void aNameThatIsNullEmptyTooLongOrNotUnicodeIsRefused(RuleContext context) {
    LockClient client = context.client();
    context.expect(NullPointerException.class, () -> client.lock(none()));
    for (String name : BAD_NAMES) {
      IllegalArgumentException told =
          context.expect(IllegalArgumentException.class, () -> client.lock(name));
      context.checkSays(told, "lock name");
      int length = RuleContext.message(told).length();
      context.check(
          length < 300,
          "expected a message of less than 300 characters, but it has %d".formatted(length));
    }
  }

  @Rule(value = "BI-2", lookAt = "how long a key the server accepts")
  public void theLongestNamesAreAccepted(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    String base = context.name();
    int left = 512 - base.length();
    for (String name :
        List.of(
            base + "x".repeat(left), base + "\u00e9".repeat(left / 2), base + "/".repeat(left))) {
      try (Lease lease = client.lock(name, context.options()).acquire(RuleContext.SLACK)) {
        Holders.held(lease, "just granted, with the name " + name);
      }
    }
    context.awaitNothingLeft(RuleContext.SLACK);
  }

  @Rule(value = "BI-3", alone = true, lookAt = Rule.ENGINE)
  public void refusalsNeedNoServer(RuleContext context) {
    Server server = context.server();
    LockClient client = context.client();
    server.suspend();
    try {
      long begun = System.nanoTime();
      for (String name : BAD_NAMES) {
        context.expect(IllegalArgumentException.class, () -> client.lock(name));
      }
      DistributedLock lock = client.lock(context.name());
      context.expect(IllegalArgumentException.class, () -> lock.tryAcquire(Duration.ofSeconds(-1)));
      context.checkInTime(
          System.nanoTime() - begun < Duration.ofSeconds(1).toNanos(),
          "expected refusals within 1 s, as they need no server, but they took longer");
    } finally {
      server.resume();
    }
  }

  @Rule(value = "BI-4", lookAt = Rule.ENGINE)
  public void badNamesHarmNoOtherLease(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    Lease lease = client.lock(context.name(), context.options()).acquire();
    for (String name : BAD_NAMES) {
      context.expect(IllegalArgumentException.class, () -> client.lock(name));
    }
    context.letPass(context.ttl());
    Holders.held(lease, "lost because of somebody's bad name");
  }

  @Rule(value = "BI-5", lookAt = Rule.ENGINE)
  public void badTimesAreRefused(RuleContext context) {
    LockOptions options = LockOptions.defaults();
    for (Duration bad :
        List.of(
            Duration.ZERO,
            Duration.ofNanos(1),
            Duration.ofMillis(99),
            Duration.ofSeconds(-1),
            Duration.ofDays(366),
            Duration.ofSeconds(Long.MAX_VALUE))) {
      IllegalArgumentException told =
          context.expect(IllegalArgumentException.class, () -> options.withTtl(bad));
      context.checkSays(told, "ttl", TimeText.of(bad));
    }
    context.expect(IllegalArgumentException.class, () -> Renewal.every(Duration.ZERO));
    context.expect(
        IllegalArgumentException.class,
        () ->
            options
                .withTtl(Duration.ofSeconds(1))
                .withRenewal(Renewal.every(Duration.ofMillis(501))));
    Retry retry = Retry.defaults();
    context.expect(
        IllegalArgumentException.class,
        () -> retry.withPauses(Duration.ofSeconds(2), Duration.ofSeconds(1)));
    context.expect(
        IllegalArgumentException.class,
        () -> retry.withPauses(Duration.ZERO, Duration.ofSeconds(1)));
    context.expect(IllegalArgumentException.class, () -> retry.withJitter(Double.NaN));
    context.expect(IllegalArgumentException.class, () -> retry.withJitter(1.5));
    context.expect(IllegalArgumentException.class, () -> retry.withMaxAttempts(0));
  }

  @Rule(value = "BI-6", lookAt = Rule.ENGINE)
  public void badWaitsAndExtensionsAreRefused(RuleContext context) throws InterruptedException {
    DistributedLock lock = context.client().lock(context.name(), context.options());
    context.expect(IllegalArgumentException.class, () -> lock.acquire(Duration.ofNanos(-1)));
    context.expect(IllegalArgumentException.class, () -> lock.acquireAsync(Duration.ofNanos(-1)));
    Lease lease = lock.acquire();
    for (Duration bad : List.of(Duration.ZERO, Duration.ofSeconds(-5), Duration.ofDays(400))) {
      context.expect(
          IllegalArgumentException.class,
          () -> {
            lease.extend(bad);
            return "no exception";
          });
    }
    Holders.held(lease, "lost by a bad argument");
  }

  @Rule(value = "BI-7", lookAt = "sums of durations that may overflow")
  public void anEndlessWaitDoesNotOverflow(RuleContext context) throws InterruptedException {
    DistributedLock lock = context.client().lock(context.name(), context.options());
    Optional<Lease> lease = lock.tryAcquire(Duration.ofSeconds(Long.MAX_VALUE));
    context.check(
        lease.isPresent(),
        "expected a lease of a free lock, but a wait without end ended without one");
  }

  @SuppressWarnings("NullAway")
  private static String none() {
    return null;
  }
}
