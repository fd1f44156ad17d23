/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockClient.Subscription;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listeners of every step. Costs one look at an empty list when nobody listens. */
final class Events {

  private static final Logger LOG = LoggerFactory.getLogger(Events.class);
  private static final int MOST_WAITING = 10_000;

  private final Executor callbacks;
  private final List<Mailbox> mailboxes = new CopyOnWriteArrayList<>();

  Events(Executor callbacks) {
    this.callbacks = callbacks;
  }

  Subscription add(LockListener listener) {
    Mailbox mailbox = new Mailbox(listener);
    mailboxes.add(mailbox);
    return () -> {
      mailboxes.remove(mailbox);
      mailbox.open = false;
    };
  }

  /** Whether it is worth while to make an event. */
  boolean listened() {
    return !mailboxes.isEmpty();
  }

  void publish(LockEvent event) {
    for (Mailbox mailbox : mailboxes) {
      mailbox.put(event);
    }
  }

  /** One listener's events, in order, one at a time. */
  private final class Mailbox {

    private final LockListener listener;
    private final ConcurrentLinkedQueue<LockEvent> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();
    volatile boolean open = true;

    Mailbox(LockListener listener) {
      this.listener = listener;
    }

    void put(LockEvent event) {
      if (count.get() >= MOST_WAITING) {
        dropped.incrementAndGet();
        return;
      }
      waiting.add(event);
      if (count.getAndIncrement() == 0) {
        callbacks.execute(this::drain);
      }
    }

    private void drain() {
      do {
        LockEvent event = waiting.poll();
        if (event != null && open) {
          deliver(event);
        }
      } while (count.decrementAndGet() != 0);
      long lost = dropped.getAndSet(0);
      if (lost > 0) {
        LOG.warn("A lock listener was too slow and missed {} events", lost);
      }
    }

    private void deliver(LockEvent event) {
      try {
        listener.on(event);
      } catch (RuntimeException | Error e) {
        LOG.warn("A lock listener failed on {}", event, e);
      }
    }
  }
}
