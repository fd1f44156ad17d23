/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.micrometer.HoldfastMeters;
import io.holdfast.lock.micrometer.MeterOptions;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Meters of the locks, if the application has Micrometer and a registry of meters. */
@AutoConfiguration(before = HoldfastAutoConfiguration.class)
@ConditionalOnClass({MeterBinder.class, HoldfastMeters.class})
@ConditionalOnProperty(name = "holdfast.enabled", matchIfMissing = true)
public class LockMetersAutoConfiguration {

  /** Made by Spring. */
  public LockMetersAutoConfiguration() {}

  @Bean
  ClientMeters holdfastMeters(ObjectProvider<MeterOptions> options) {
    return new ClientMeters(options.getIfAvailable(MeterOptions::defaults));
  }
}
