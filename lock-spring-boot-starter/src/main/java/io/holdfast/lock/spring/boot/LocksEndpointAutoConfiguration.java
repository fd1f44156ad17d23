/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.LockClient;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The endpoint {@code locks} of the actuator, if it is exposed. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(LockClient.class)
@ConditionalOnAvailableEndpoint(endpoint = LocksEndpoint.class)
public class LocksEndpointAutoConfiguration {

  /** Made by Spring. */
  public LocksEndpointAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  LocksEndpoint locksEndpoint(ObjectProvider<Map<String, LockClient>> clients) {
    return new LocksEndpoint(clients::getObject);
  }
}
