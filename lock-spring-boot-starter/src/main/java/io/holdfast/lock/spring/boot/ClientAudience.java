/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.config.Scenario;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** The beans that are told of each client that is opened. Found once, and used on any thread. */
final class ClientAudience implements BiConsumer<Scenario, LockClient> {

  private final ObjectProvider<LockListener> listeners;
  private final ObjectProvider<ClientObserver> observers;
  private volatile @Nullable Found found;

  private record Found(List<LockListener> listeners, List<ClientObserver> observers) {}

  ClientAudience(ObjectProvider<LockListener> listeners, ObjectProvider<ClientObserver> observers) {
    this.listeners = listeners;
    this.observers = observers;
  }

  /** Asks Spring for the beans now, so that no other thread has to. */
  void lookUp() {
    beans();
  }

  private Found beans() {
    Found known = found;
    if (known == null) {
      known = new Found(listeners.orderedStream().toList(), observers.orderedStream().toList());
      found = known;
    }
    return known;
  }

  @Override
  public void accept(Scenario scenario, LockClient client) {
    Found beans = beans();
    beans.listeners.forEach(client::addListener);
    beans.observers.forEach(observer -> observer.opened(scenario, client));
  }
}
