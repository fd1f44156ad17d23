/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.servers.ChildJvm;
import io.holdfast.lock.worker.LeaderElection;
import io.holdfast.lock.worker.LockWorker;
import io.holdfast.lock.worker.StopReason;
import io.holdfast.lock.worker.Work;
import io.holdfast.lock.worker.WorkerOptions;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** How leaders and workers start and end with the application. */
@Timeout(120)
class LeadersTest {

  /** Starts its worker and its election itself, and so early that they have done nothing yet. */
  @Configuration(proxyBeanMethods = false)
  @AutoConfigureMemoryLocks
  @ImportAutoConfiguration(LeadersAutoConfiguration.class)
  static class StartsItself {

    private final CountDownLatch mayBegin = new CountDownLatch(1);
    private final CountDownLatch work = new CountDownLatch(2);
    private volatile boolean late;

    @Bean
    LockWorker worker(LockClient client) {
      LockClient slow =
          (LockClient)
              Proxy.newProxyInstance(
                  LockClient.class.getClassLoader(),
                  new Class<?>[] {LockClient.class},
                  (proxy, method, arguments) -> {
                    if (method.getName().equals("addListener")
                        && !mayBegin.await(60, TimeUnit.SECONDS)) {
                      late = true;
                    }
                    return method.invoke(client, arguments);
                  });
      LockWorker worker = new LockWorker(slow, "w", counting(), WorkerOptions.defaults());
      worker.start();
      return worker;
    }

    @Bean
    LeaderElection election(LockClient client) {
      LeaderElection election =
          new LeaderElection(client, "e", counting(), WorkerOptions.defaults());
      election.start();
      return election;
    }

    private Work counting() {
      return new Work() {
        @Override
        public void start(Lease lease) {
          work.countDown();
        }

        @Override
        public void stop(StopReason reason) {}
      };
    }
  }

  /** Its worker does what it is told to, once the application runs. */
  @Configuration(proxyBeanMethods = false)
  @AutoConfigureMemoryLocks
  @ImportAutoConfiguration(LeadersAutoConfiguration.class)
  static class RestartsItself {

    private final ExitingLeader.Purchase work = new ExitingLeader.Purchase();

    @Bean
    LockWorker worker(LockClient client) {
      return new LockWorker(client, "w", work, WorkerOptions.defaults());
    }
  }

  @Test
  void aWorkerThatHasNotEndedIsNotLeftStoppedInSilence() throws Exception {
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(RestartsItself.class).web(WebApplicationType.NONE).run()) {
      ListAppender<ILoggingEvent> log = new ListAppender<>();
      log.start();
      ((Logger) LoggerFactory.getLogger(Leaders.class)).addAppender(log);
      context
          .getBean(RestartsItself.class)
          .work
          .lead(
              () -> {
                context.stop();
                context.start();
              })
          .get(30, TimeUnit.SECONDS);
      assertEquals(List.of(Level.WARN), log.list.stream().map(ILoggingEvent::getLevel).toList());
    }
  }

  @Test
  void whatTheApplicationHasStartedItselfGoesOn() throws Exception {
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(StartsItself.class).web(WebApplicationType.NONE).run()) {
      StartsItself application = context.getBean(StartsItself.class);
      application.mayBegin.countDown();
      assertTrue(application.work.await(30, TimeUnit.SECONDS));
      assertFalse(application.late, "the worker began before the application had started");
    }
  }

  @Test
  void whatIsLedMayCloseTheApplication() throws Exception {
    ConfigurableApplicationContext context = ExitingLeader.run();
    context.getBean(ExitingLeader.Purchase.class).lead(context::close).get(30, TimeUnit.SECONDS);
    assertFalse(context.isActive());
  }

  @Test
  void whatIsLedMayEndTheProcess() {
    try (ChildJvm process = ChildJvm.start(ExitingLeader.class)) {
      assertEquals(ExitingLeader.EXIT, process.awaitExit(Duration.ofSeconds(60)));
    }
  }

  @Test
  void theObserverOfAWorkerMayEndTheProcess() {
    try (ChildJvm process = ChildJvm.start(ExitingObserver.class)) {
      assertEquals(ExitingObserver.EXIT, process.awaitExit(Duration.ofSeconds(60)));
    }
  }
}
