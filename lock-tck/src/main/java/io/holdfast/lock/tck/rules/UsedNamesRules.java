/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** LC: names that a client has used leave nothing behind, in it and at the server. */
public final class UsedNamesRules {

  /** More than any table of locks would have places by chance. */
  private static final int NAMES = 600;

  private static final int FORGOTTEN_NAMES = 100;

  /** The last ones may be in what is still under way. */
  private static final int FEW_NAMES = 10;

  @Rule(value = "LC-12", lookAt = "tables and caches of names: what they drop")
  public void manyNamesLeaveNothingAndDisturbNobody(RuleContext context)
      throws InterruptedException {
    LockClient client = context.client();
    Lease held = client.lock(context.name(), context.longTtl()).acquire();
    for (int i = 0; i < NAMES; i++) {
      client.lock(context.name() + "-" + i, context.options()).acquire().release();
    }
    Holders.refused(
        held,
        client.lock(context.name(), context.options()).tryAcquire(),
        "granted to the holder's own client after many other names");
    Holders.refused(
        held,
        context.client().lock(context.name(), context.options()).tryAcquire(),
        "granted to another client after its holder's client used many other names");
    Holders.released(held, "the holder");
    context.awaitNothingLeft(RuleContext.SLACK);
  }

  @Rule(value = "LC-13", lookAt = "tables and caches of names, and Fixture.namesRemembered()")
  public void aClientForgetsTheNamesThatItDoesNotHold(RuleContext context)
      throws InterruptedException {
    int remembered = context.fixture().namesRemembered();
    if (remembered > 0) {
      throw context.notPromised("its client remembers up to " + remembered + " names");
    }
    LockClient client = context.client();
    List<WeakReference<String>> names = new ArrayList<>();
    for (int i = 0; i < FORGOTTEN_NAMES; i++) {
      String name = context.name() + "-" + i;
      client.lock(name, context.options()).acquire().release();
      names.add(new WeakReference<>(name));
    }
    context.await(
        "almost all of " + FORGOTTEN_NAMES + " names are forgotten",
        Duration.ofSeconds(5),
        () -> {
          // Collecting costs a processor for as long as it lasts.
          context.letPass(Duration.ofMillis(250));
          System.gc();
          return names.stream().filter(name -> name.get() != null).count() < FEW_NAMES;
        });
  }
}
