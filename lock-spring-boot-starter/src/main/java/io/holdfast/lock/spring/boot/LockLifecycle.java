/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.config.Scenarios;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Closes the locks when the application ends: after the web server and what else uses them, which
 * have greater phases, and before the connections that they are had over.
 */
final class LockLifecycle implements SmartLifecycle, ApplicationListener<ContextClosedEvent> {

  /** Connections of Spring Data Redis end with phase 0, and pools after all phases. */
  static final int PHASE = 1000;

  private final ApplicationContext context;
  private final ObjectProvider<LockClient> clients;
  private final Scenarios scenarios;
  private volatile boolean running;
  private volatile boolean closing;

  LockLifecycle(
      ApplicationContext context, ObjectProvider<LockClient> clients, Scenarios scenarios) {
    this.context = context;
    this.clients = clients;
    this.scenarios = scenarios;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void onApplicationEvent(ContextClosedEvent event) {
    if (event.getApplicationContext().equals(context)) {
      closing = true;
    }
  }

  /** A context that is only stopped may be started again, and its locks have to work then. */
  @Override
  public void stop() {
    running = false;
    if (closing) {
      List<LockClient> all = clients.stream().toList();
      all.forEach(LockClient::close);
      scenarios.close();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** As {@link #stop()}: Spring 7 pauses the contexts of tests that are not in use. */
  public boolean isPauseable() {
    return false;
  }
}
