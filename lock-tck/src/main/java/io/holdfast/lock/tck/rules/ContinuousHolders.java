/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Many that keep taking what several may have, so that somebody has it at any time for as long as
 * they are granted it. If nobody is, as one that waits goes first, all let go of it.
 */
final class ContinuousHolders {

  private static final Duration LONGEST_HOLD = Duration.ofSeconds(1);

  private final RuleContext context;
  private final List<DistributedLock> locks;
  private final Duration limit;

  ContinuousHolders(RuleContext context, List<DistributedLock> locks) {
    this.context = context;
    this.locks = locks;
    this.limit = LONGEST_HOLD.plus(context.ttl()).plus(RuleContext.SLACK);
  }

  /** One that wants it for itself alone is granted it in time. */
  void serve(DistributedLock alone, String whose) throws InterruptedException {
    String otherwise =
        "expected %s to be granted within %s, but others keep passing it"
            .formatted(whose, TimeText.of(limit));
    context.check(isServedAmongThoseWhoDoNotWait(alone), otherwise);
    context.check(isServedAmongThoseWhoWait(alone), otherwise);
  }

  /** Each lets go of it when the next has it as well, so no slowness makes room for the one. */
  private boolean isServedAmongThoseWhoDoNotWait(DistributedLock alone)
      throws InterruptedException {
    Lease last = locks.get(0).acquire();
    Future<Optional<Lease>> waiting = context.start(() -> alone.tryAcquire(limit));
    for (int i = 1; !waiting.isDone(); i++) {
      Optional<Lease> next = locks.get(i % locks.size()).tryAcquire();
      last.release();
      if (next.isEmpty()) {
        break;
      }
      last = next.get();
    }
    boolean served = isGranted(context.get(waiting, limit.plus(RuleContext.SLACK)));
    last.release();
    return served;
  }

  /** Each has a thread of its own, and lets go of it when another was granted it since. */
  private boolean isServedAmongThoseWhoWait(DistributedLock alone) throws InterruptedException {
    AtomicLong grants = new AtomicLong();
    AtomicBoolean enough = new AtomicBoolean();
    List<Future<Boolean>> threads = new ArrayList<>();
    for (DistributedLock lock : locks) {
      threads.add(
          context.start(
              () -> {
                while (!enough.get()) {
                  Lease lease = lock.acquire();
                  long number = grants.incrementAndGet();
                  RuleContext.comesTrue(LONGEST_HOLD, () -> grants.get() > number || enough.get());
                  lease.release();
                }
                return true;
              }));
    }
    try {
      return isGranted(alone.tryAcquire(limit));
    } finally {
      enough.set(true);
      threads.forEach(thread -> context.get(thread, RuleContext.SLACK.multipliedBy(2)));
    }
  }

  private static boolean isGranted(Optional<Lease> lease) {
    lease.ifPresent(Lease::release);
    return lease.isPresent();
  }
}
