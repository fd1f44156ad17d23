/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.worker.LeaderElection;
import io.holdfast.lock.worker.LockWorker;
import io.holdfast.lock.worker.StopReason;
import io.holdfast.lock.worker.Work;
import io.holdfast.lock.worker.WorkerOptions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What is led and worked on ends before the locks of the application do. */
@Timeout(120)
class LeadersEndTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  /** Takes its time to stop, and tells whether the lock was its own for all of that. */
  static class Slow implements Work {

    private final CompletableFuture<Lease> started = new CompletableFuture<>();
    private final CompletableFuture<String> stopped = new CompletableFuture<>();

    @Override
    public void start(Lease lease) {
      started.complete(lease);
    }

    @Override
    public void stop(StopReason reason) {
      try {
        Conditions.stays("it is valid", Duration.ofMillis(300), started.join()::isValid);
        stopped.complete(reason + ", valid");
      } catch (AssertionError e) {
        stopped.complete(reason + ", " + e.getMessage());
      }
    }

    private Lease lease() throws Exception {
      return started.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** Starts nothing itself. */
  @Configuration(proxyBeanMethods = false)
  @AutoConfigureMemoryLocks
  @ImportAutoConfiguration(LeadersAutoConfiguration.class)
  static class Application {

    @Bean
    @Leads("led")
    Slow led() {
      return new Slow();
    }

    @Bean
    @Leads(value = "long", scenario = "patient")
    Slow patient() {
      return new Slow();
    }

    @Bean
    Slow elected() {
      return new Slow();
    }

    @Bean
    Slow worked() {
      return new Slow();
    }

    @Bean
    LeaderElection election(LockClient client, @Qualifier("elected") Slow work) {
      return new LeaderElection(client, "e", work, WorkerOptions.defaults());
    }

    @Bean
    LockWorker worker(LockClient client, @Qualifier("worked") Slow work) {
      return new LockWorker(client, "w", work, WorkerOptions.defaults());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @AutoConfigureMemoryLocks
  @ImportAutoConfiguration(LeadersAutoConfiguration.class)
  static class Twice {

    @Bean
    @Leads("led")
    Slow one() {
      return new Slow();
    }

    @Bean
    @Leads("led")
    Slow two() {
      return new Slow();
    }
  }

  private static ConfigurableApplicationContext run(Class<?> application) {
    return new SpringApplicationBuilder(application)
        .web(WebApplicationType.NONE)
        .properties("holdfast.scenario.default.ttl=30s", "holdfast.scenario.patient.ttl=10m")
        .run();
  }

  @Test
  void allAreStoppedUnderValidLeasesBeforeTheEnd() throws Exception {
    ConfigurableApplicationContext context = run(Application.class);
    Map<String, Slow> works = context.getBeansOfType(Slow.class);
    assertEquals(4, works.size());
    for (Slow work : works.values()) {
      work.lease().ensureValid();
    }
    MemoryServer server = context.getBean(MemoryServer.class);
    context.close();
    works.forEach(
        (name, work) -> assertEquals("STOPPED, valid", work.stopped.getNow("goes on"), name));
    assertEquals(Map.of(), server.owners());
  }

  @Test
  void aLeaderHasTheTermsOfItsScenario() throws Exception {
    try (ConfigurableApplicationContext context = run(Application.class)) {
      Duration usual = context.getBean("led", Slow.class).lease().remaining();
      Duration patient = context.getBean("patient", Slow.class).lease().remaining();
      assertTrue(usual.compareTo(Duration.ofSeconds(30)) <= 0, "usual: " + usual);
      assertTrue(patient.compareTo(Duration.ofMinutes(5)) > 0, "patient: " + patient);
    }
  }

  @Test
  void aLeaderThatResignsStandsAgain() throws Exception {
    try (ConfigurableApplicationContext context = run(Application.class)) {
      Leaders leaders = context.getBean(Leaders.class);
      Slow led = context.getBean("led", Slow.class);
      led.lease();
      leaders.resign("led");
      assertEquals("RESIGNED, valid", led.stopped.get(SOON.toSeconds(), TimeUnit.SECONDS));
      Conditions.until("it has given the lock back", SOON, () -> !led.started.join().isValid());
      Conditions.until("it leads again", SOON, () -> leaders.isLeader("led"));
      String told =
          String.valueOf(
              assertThrows(IllegalArgumentException.class, () -> leaders.resign("lde"))
                  .getMessage());
      assertTrue(told.startsWith("There is no election 'lde' with @Leads"), told);
    }
  }

  @Test
  void anElectionIsStoodInOnce() {
    String told =
        String.valueOf(
            assertThrows(IllegalStateException.class, () -> run(Twice.class)).getMessage());
    assertTrue(told.contains("Two beans lead 'led'"), told);
  }
}
