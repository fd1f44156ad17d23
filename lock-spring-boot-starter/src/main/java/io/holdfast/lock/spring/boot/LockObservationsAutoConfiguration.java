/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.micrometer.MeterOptions;
import io.holdfast.lock.micrometer.ObservedLocks;
import io.holdfast.lock.spring.LockObserver;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * Observations of work under locks, if the application has Micrometer and a registry of them. That
 * is looked for with the first lock, as Boot has it in another package in each line.
 */
@AutoConfiguration(before = HoldfastAutoConfiguration.class)
@ConditionalOnClass({ObservationRegistry.class, ObservedLocks.class})
@ConditionalOnProperty(name = "holdfast.enabled", matchIfMissing = true)
public class LockObservationsAutoConfiguration {

  /** Made by Spring. */
  public LockObservationsAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  LockObserver holdfastLockObserver(
      ObjectProvider<ObservationRegistry> registry, ObjectProvider<MeterOptions> options) {
    return new LockObservations(
        new ObservedLocks(
            registry.getIfUnique(() -> ObservationRegistry.NOOP),
            options.getIfUnique(MeterOptions::defaults)));
  }
}
