/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import static io.holdfast.lock.tck.rules.Semaphores.CAPACITY;

import io.holdfast.lock.Capabilities.Inspection;
import io.holdfast.lock.Capabilities.Sharing;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockInspector;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** PM: how many permits a semaphore has. */
public final class CapacityRules {

  @Rule(value = "PM-6", lookAt = "attempt(): whether it compares capacities")
  public void aCapacityBelongsToTheName(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    DistributedSemaphore semaphore = Semaphores.of(context, client);
    LockClient elsewhere = context.client();
    DistributedSemaphore larger =
        elsewhere.semaphore(context.name(), CAPACITY + 2, Semaphores.options(context));
    Lease held = semaphore.permits(CAPACITY).acquire();
    for (LockClient either : List.of(client, elsewhere)) {
      LockCapacityException told =
          context.expect(
              LockCapacityException.class,
              () ->
                  either
                      .semaphore(context.name(), CAPACITY + 2, Semaphores.options(context))
                      .permit()
                      .tryAcquire());
      context.checkEquals(CAPACITY + 2, told.askedFor(), "the capacity asked for");
      context.checkEquals(CAPACITY, told.inUse(), "the capacity in use");
      context.checkSays(told, context.name());
      context.expect(
          LockCapacityException.class,
          () -> either.lock(context.name(), Semaphores.options(context)).tryAcquire());
    }
    Holders.held(held, "after another capacity was refused");
    if (context.promises().sharing() == Sharing.FIXED_PERMITS) {
      LockConfigurationException told =
          context.expect(
              LockConfigurationException.class,
              () -> elsewhere.inspector().changeCapacity(context.name(), CAPACITY, CAPACITY + 2));
      context.checkSays(told, context.name());
      Holders.held(held, "after a change of the capacity was refused");
    } else if (context.promises().inspection() != Inspection.NONE) {
      LockInspector inspector = elsewhere.inspector();
      context.check(
          !inspector.changeCapacity(context.name(), CAPACITY + 1, CAPACITY + 2),
          "expected a change from another capacity than it has to be refused, but it was made");
      LockClient waiter = context.client();
      CompletableFuture<Lease> waiting =
          RecordedEvents.contended(context, waiter, Semaphores.of(context, waiter).permit());
      context.check(
          inspector.changeCapacity(context.name(), CAPACITY, CAPACITY + 2),
          "expected the capacity to be changed, but it was not");
      // Otherwise a waiter would wait for ever for a capacity that is gone.
      context.expect(
          LockCapacityException.class,
          () -> context.get(waiting, context.freeAfterDeath().plus(RuleContext.SLACK)));
      Lease more = Holders.free(context, larger.permits(2), RuleContext.SLACK, "for two more");
      Holders.refused(more, larger.permit().tryAcquire(), "more than there are now");
      more.release();
      // The client that holds of the old capacity has no other way to learn of the new one.
      DistributedSemaphore changed =
          client.semaphore(context.name(), CAPACITY + 2, Semaphores.options(context));
      Lease here =
          Holders.free(context, changed.permit(), RuleContext.SLACK, "for the old holder's client");
      context.expect(
          LockCapacityException.class, () -> Semaphores.of(context, client).permit().tryAcquire());
      Holders.held(here, "of the new capacity");
      Holders.released(here, "one of the new capacity");
      Holders.held(held, "after the capacity was changed");
      LockClient third = context.client();
      context.expect(
          LockCapacityException.class, () -> Semaphores.of(context, third).permit().tryAcquire());
    }
    Holders.released(held, "all of the first capacity");
    Holders.free(context, larger.permits(CAPACITY + 2), RuleContext.SLACK, "with its capacity")
        .release();
  }
}
