/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.config.Scenarios;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Closes the locks of a context when that ends: after the web server and what else uses them, which
 * have greater phases, and before the connections that they are had over. A parent's go on: other
 * contexts use them as well.
 */
final class LockLifecycle implements SmartLifecycle, ApplicationListener<ContextClosedEvent> {

  /** Connections of Spring Data Redis end with phase 0, and pools after all phases. */
  static final int PHASE = 1000;

  private final ApplicationContext context;
  private final ConfigurableListableBeanFactory beans;
  private volatile boolean running;
  private volatile boolean closing;

  LockLifecycle(ApplicationContext context, ConfigurableListableBeanFactory beans) {
    this.context = context;
    this.beans = beans;
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
      opened(LockClient.class).forEach(LockClient::close);
      opened(Scenarios.class).forEach(Scenarios::close);
    }
  }

  /** With lazy initialization, those that nobody has used would be opened to be closed. */
  private <T> List<T> opened(Class<T> type) {
    return Stream.of(beans.getBeanNamesForType(type, true, false))
        .filter(beans::containsSingleton)
        .map(name -> beans.getBean(name, type))
        .toList();
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
