/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
