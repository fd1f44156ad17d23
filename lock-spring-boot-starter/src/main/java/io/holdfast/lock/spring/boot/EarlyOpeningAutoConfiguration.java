/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.core.Ordered;

/**
 * Begins to open the usual client when the application's own beans have been made, before those of
 * other auto-configurations: with Spring MVC and the actuator, they take as long to make as the
 * first connection takes. Apart from {@link HoldfastAutoConfiguration}, whose place among the
 * others decides what those find.
 */
@AutoConfiguration
@AutoConfigureOrder(Ordered.HIGHEST_PRECEDENCE)
@ConditionalOnProperty(name = "holdfast.enabled", matchIfMissing = true)
public class EarlyOpeningAutoConfiguration {

  /** Made by Spring: not with lazy initialization, as nobody asks for it. */
  EarlyOpeningAutoConfiguration(ConfigurableListableBeanFactory beans) {
    if (beans.containsLocalBean(ClientOpening.BEAN)) {
      beans.getBean(ClientOpening.BEAN);
    }
  }
}
