/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.servers.Ports;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The usual client is connected while the application starts, and the start waits for it. */
@Timeout(120)
class ClientOpeningTest {

  /** Where the client is opened: not before a bean that is made after it lets it. */
  @Configuration(proxyBeanMethods = false)
  @AutoConfigureMemoryLocks
  static class Overlapping {

    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private final List<String> steps = new CopyOnWriteArrayList<>();

    @Bean
    ClientObserver observer() {
      return (scenario, client) -> {
        steps.add(Thread.currentThread().getName());
        try {
          steps.add(mayGoOn.await(60, TimeUnit.SECONDS) ? "opened" : "held up");
        } catch (InterruptedException e) {
          steps.add("interrupted");
        }
      };
    }

    /** Before the client is waited for. */
    @Bean
    SmartInitializingSingleton last() {
      return mayGoOn::countDown;
    }
  }

  /** A bean that needs the client at once. */
  @Configuration(proxyBeanMethods = false)
  @AutoConfigureMemoryLocks
  static class Impatient {

    @Bean
    String usedEarly(LockClient client) throws InterruptedException {
      client.lock("early").run(lease -> {});
      return "used";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(HoldfastAutoConfiguration.class)
  static class Plain {}

  private static SpringApplicationBuilder application(Class<?> type, String... properties) {
    return new SpringApplicationBuilder(type)
        .web(WebApplicationType.NONE)
        .properties(properties)
        .properties("spring.main.banner-mode=off");
  }

  @Test
  void theApplicationGoesOnStartingMeanwhile() {
    try (ConfigurableApplicationContext context = application(Overlapping.class).run()) {
      List<String> steps = context.getBean(Overlapping.class).steps;
      assertEquals(List.of("holdfast-opening", "opened"), steps);
      assertTrue(context.getBeanFactory().containsSingleton("lockClient"));
    }
  }

  @Test
  void aBeanThatNeedsTheClientWaitsForIt() {
    try (ConfigurableApplicationContext context = application(Impatient.class).run()) {
      assertEquals("used", context.getBean("usedEarly"));
    }
  }

  @Test
  void aServerThatDoesNotAnswerFailsTheStart() {
    String url = "redis://localhost:" + Ports.free();
    FailureAnalysis told = analyzed("holdfast.url=" + url);
    assertInstanceOf(LockUnavailableException.class, told.getCause());
    assertTrue(
        told.getDescription().startsWith("The locks of this application are not available."),
        told::getDescription);
  }

  @Test
  void aWrongConfigurationFailsTheStart() {
    FailureAnalysis told = analyzed("holdfast.provider=redis");
    assertInstanceOf(LockConfigurationException.class, told.getCause());
    assertTrue(
        told.getDescription().contains("ackend 'default' of provider 'redis'"),
        told::getDescription);
  }

  private static FailureAnalysis analyzed(String property) {
    RuntimeException failure =
        assertThrows(RuntimeException.class, () -> application(Plain.class, property).run());
    Throwable cause = failure;
    while (!(cause instanceof LockException)) {
      cause = cause.getCause();
      assertNotNull(cause, () -> "of " + failure);
    }
    FailureAnalysis told = new LockFailureAnalyzer().analyze(failure, (LockException) cause);
    assertNotNull(told);
    return told;
  }

  /** As a mock of a test: its server need not be there. */
  @Test
  void aClientThatIsThereAlreadyIsNotOpened() {
    try (LockClient other = new MemoryServer().open();
        ConfigurableApplicationContext context =
            application(Plain.class, "holdfast.url=redis://localhost:" + Ports.free())
                .initializers(
                    starting ->
                        starting.addBeanFactoryPostProcessor(
                            beans -> beans.registerSingleton("lockClient", other)))
                .run()) {
      assertSame(other, context.getBean(LockClient.class));
    }
  }
}
