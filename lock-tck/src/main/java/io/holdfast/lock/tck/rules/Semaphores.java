/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockOptions;

/** The semaphore that a rule asks about. */
final class Semaphores {

  static final int CAPACITY = 3;

  private Semaphores() {}

  static LockOptions options(RuleContext context) {
    return context.options().withHandOver(HandOver.none());
  }

  /** Ends the rule where that is not promised, once it has been refused. */
  static DistributedSemaphore of(RuleContext context, LockClient client) {
    if (context.promises().sharing().hasSemaphores()) {
      return client.semaphore(context.name(), CAPACITY, options(context));
    }
    DistributedLock single = client.semaphore(context.name(), 1, options(context)).permit();
    context.check(
        single.share().equals(client.lock(context.name(), options(context)).share()),
        "expected a semaphore of one permit to be a lock, but its share differs");
    LockConfigurationException told =
        context.expect(
            LockConfigurationException.class,
            () -> client.semaphore(context.name(), CAPACITY, options(context)));
    throw refused(context, told);
  }

  /** To be thrown where a backend has refused what it does not promise, and said which ones can. */
  static RuntimeException refused(RuleContext context, LockConfigurationException told) {
    context.checkSays(told, context.name(), "can");
    return context.notPromised("it is refused, and backends are named that can");
  }
}
