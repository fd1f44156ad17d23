/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.ClientStatus.LockStatus;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Share;
import io.holdfast.lock.tck.rules.LockForms.Form;
import io.holdfast.lock.tck.rules.LockForms.Wait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;

/**
 * Asks for one thing in all {@link LockForms}: when it is free, when it is refused, and when it has
 * to be waited for.
 *
 * @param client of the lock that is asked for
 * @param names of each lease
 * @param share of each lease
 * @param against of another client: what does not fit together with it
 * @param compatible of another client: what does, if anything does
 */
record FormTrials(
    RuleContext context,
    LockClient client,
    List<String> names,
    Share share,
    DistributedLock against,
    Optional<DistributedLock> compatible) {

  private static final Duration MOMENT = Duration.ofMillis(50);

  /** Through a view of the lock. */
  void tryAll(DistributedLock lock) throws InterruptedException {
    List<Form> forms = new LockForms(context).all();
    for (Form form : forms) {
      isGranted(form, lock);
    }
    Lease busy = against.with(context.longTtl()).acquire();
    for (Form form : forms) {
      isRefused(form, lock, busy);
    }
    areServed(forms.stream().filter(form -> form.waits() != Wait.NOT_AT_ALL).toList(), lock, busy);
    Holders.free(context, against, RuleContext.SLACK, "after all forms").release();
  }

  /** A view acquires the same, and is held against the same. */
  void isGranted(String view, DistributedLock lock) throws InterruptedException {
    context.checkEquals(share, lock.share(), "the share that a view asks for with " + view);
    Lease lease = Holders.free(context, lock, RuleContext.SLACK, "for a view with " + view);
    isTheSame("a view with " + view, lease);
    Holders.released(lease, "the holder by a view with " + view);
  }

  private void isGranted(Form form, DistributedLock lock) throws InterruptedException {
    boolean granted = form.ask(lock, RuleContext.SLACK, lease -> isTheSame(form.words(), lease));
    context.check(
        granted,
        "expected a free lock to be granted to "
            + form.words()
            + ", but it was refused"
            + context.atTheServer());
    String after = "after what " + form.words() + " was granted";
    Holders.free(context, against, RuleContext.SLACK, after).release();
  }

  private void isTheSame(String form, Lease lease) throws InterruptedException {
    context.checkEquals(share, lease.share(), "the share of a lease by " + form);
    context.checkEquals(names, lease.lockNames(), "the names of a lease by " + form);
    Holders.refused(lease, against.tryAcquire(), "next to a lease by " + form);
    if (compatible.isPresent()) {
      String when = "next to what " + form + " was granted";
      Holders.free(context, compatible.get(), RuleContext.SLACK, when).release();
    }
    Holders.held(lease, "by " + form);
  }

  /** A form that waits without a limit does so for as many attempts as the options say. */
  private void isRefused(Form form, DistributedLock lock, Lease busy) throws InterruptedException {
    LockOptions options = lock.options();
    DistributedLock once = lock.with(options.withRetry(options.retry().withMaxAttempts(1)));
    boolean granted =
        form.ask(
            form.waits() == Wait.FOR_EVER ? once : lock,
            MOMENT,
            lease -> Holders.refused(busy, Optional.of(lease), "by " + form.words()));
    context.check(
        !granted, "expected a busy lock to be refused to " + form.words() + ", but it was granted");
    Holders.held(busy, "while " + form.words() + " was refused");
  }

  /** All wait at once, each on a thread of its own. */
  private void areServed(List<Form> forms, DistributedLock lock, Lease busy) {
    Duration limit = RuleContext.SLACK.multipliedBy(3);
    List<Future<Boolean>> asked = new ArrayList<>();
    for (Form form : forms) {
      asked.add(
          context.start(
              () ->
                  form.ask(
                      lock,
                      limit,
                      lease -> {
                        Holders.over(busy, form.words() + " was granted");
                        context.checkEquals(share, lease.share(), "the share by " + form.words());
                      })));
    }
    context.await("all forms wait", RuleContext.SLACK, () -> waiters() >= forms.size());
    Holders.released(busy, "the one that all forms wait for");
    for (int i = 0; i < forms.size(); i++) {
      context.checkInTime(
          context.get(asked.get(i), limit.plus(RuleContext.SLACK)),
          "expected a lock that became free to be granted to "
              + forms.get(i).words()
              + " in time, but it was refused"
              + context.atTheServer());
    }
  }

  private int waiters() {
    return client.status().locks().stream().mapToInt(LockStatus::waiters).sum();
  }
}
