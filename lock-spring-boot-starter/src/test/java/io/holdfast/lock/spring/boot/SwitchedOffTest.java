/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.config.Scenarios;
import io.holdfast.lock.spring.LockObserver;
import io.holdfast.lock.spring.LockTemplate;
import io.holdfast.lock.spring.Locked;
import java.util.List;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.integration.support.locks.LockRegistry;

/** With {@code holdfast.enabled=false} there is nothing of it, whatever else is set. */
class SwitchedOffTest {

  /** Runs without its lock, of whose scenario nobody finds that it is mistyped. */
  public static class Payments {

    @Locked(name = "account", scenario = "finnancial")
    public String pay() {
      return "paid";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({
    HoldfastAutoConfiguration.class,
    LeadersAutoConfiguration.class,
    LockMetersAutoConfiguration.class,
    LockObservationsAutoConfiguration.class,
    LockRegistryAutoConfiguration.class,
    ShedLockAutoConfiguration.class
  })
  @Import(Payments.class)
  static class Application {}

  @Test
  void thereAreNoLocksAndNothingThatNeedsThem() {
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.NONE)
            .properties("holdfast.enabled=false", "holdfast.url=redis://nowhere")
            .run()) {
      for (Class<?> type :
          List.of(
              LockClient.class,
              Scenarios.class,
              LockTemplate.class,
              Leaders.class,
              ClientMeters.class,
              LockObserver.class,
              LockRegistry.class,
              LockProvider.class)) {
        assertTrue(context.getBeansOfType(type).isEmpty(), type.getName());
      }
      assertEquals("paid", context.getBean(Payments.class).pay());
    }
  }
}
