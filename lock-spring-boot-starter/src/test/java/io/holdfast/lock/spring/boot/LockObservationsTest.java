/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.micrometer.MeterOptions;
import io.holdfast.lock.spring.LockTemplate;
import io.holdfast.lock.spring.Locked;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationPredicate;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Mono;

/** Work under the locks of an application that has observations, and does nothing for it. */
class LockObservationsTest {

  private static final String NAME = "holdfast.lock.run";

  /** Keeps what has ended. */
  static final class Ended implements ObservationHandler<Observation.Context> {

    private final List<Observation.Context> ours = new CopyOnWriteArrayList<>();

    @Override
    public void onStop(Observation.Context context) {
      ours.add(context);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
      return NAME.equals(context.getName());
    }

    private Observation.Context only() {
      assertEquals(1, ours.size());
      return ours.get(0);
    }

    private Map<String, String> keys() {
      Map<String, String> keys = new TreeMap<>();
      for (KeyValue key : only().getLowCardinalityKeyValues()) {
        keys.put(key.getKey(), key.getValue());
      }
      return keys;
    }
  }

  /** Methods of each kind. */
  public static class Accounts {

    @Locked(name = "account", key = "#account", maxWait = "0s")
    public @Nullable Object pay(String account, Supplier<@Nullable Object> work) {
      return work.get();
    }

    @Locked(name = "account", key = "#account")
    public CompletableFuture<String> book(String account, Supplier<String> work) {
      return CompletableFuture.completedFuture(work.get());
    }

    @Locked(name = "account", key = "#account")
    public Mono<String> watch(String account, Supplier<String> work) {
      return Mono.fromSupplier(work);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @AutoConfigureMemoryLocks
  @ImportAutoConfiguration(LockObservationsAutoConfiguration.class)
  @Import(Accounts.class)
  static class Plain {}

  @Configuration(proxyBeanMethods = false)
  @Import(Plain.class)
  static class Observed {

    @Bean
    Ended ended() {
      return new Ended();
    }

    @Bean
    ObservationRegistry observations(Ended ended) {
      ObservationRegistry registry = ObservationRegistry.create();
      registry.observationConfig().observationHandler(ended);
      return registry;
    }

    @Bean
    MeterOptions families() {
      return MeterOptions.defaults().withClientName("bank").withFamiliesByPrefix();
    }
  }

  private final ConfigurableApplicationContext context = run(Observed.class);
  private final Ended ended = context.getBean(Ended.class);
  private final ObservationRegistry registry = context.getBean(ObservationRegistry.class);
  private final Accounts accounts = context.getBean(Accounts.class);
  private final LockClient client = context.getBean(LockClient.class);

  private static ConfigurableApplicationContext run(Class<?> application) {
    return new SpringApplicationBuilder(application)
        .web(WebApplicationType.NONE)
        .properties("holdfast.url=redis://nowhere")
        .run();
  }

  @AfterEach
  void stop() {
    context.close();
  }

  private @Nullable Observation current() {
    return registry.getCurrentObservation();
  }

  /** The one of the lock is current where the work is done. */
  private String inScope() {
    assertEquals(NAME, Objects.requireNonNull(current()).getContext().getName());
    return "done";
  }

  private void assertReleased() {
    assertEquals(
        Map.of("client", "bank", "family", "account", "mode", "lock", "outcome", "released"),
        ended.keys());
    Observation.Context only = ended.only();
    assertEquals(
        "account:7",
        Objects.requireNonNull(only.getHighCardinalityKeyValue("lock.name")).getValue());
    assertNotNull(only.getHighCardinalityKeyValue("lock.owner"));
    assertEquals("lock account", only.getContextualName());
    assertNull(only.getError());
  }

  @Test
  void aLockedMethodIsAChildOfItsCaller() {
    Observation caller = Observation.start("caller", registry);
    assertEquals("done", caller.observe(() -> accounts.pay("7", this::inScope)));
    assertReleased();
    assertSame(
        caller.getContextView(),
        Objects.requireNonNull(ended.only().getParentObservation()).getContextView());
    assertNull(current());
  }

  @Test
  void soIsWhatATemplateCalls() throws Exception {
    LockTemplate template = context.getBean(LockTemplate.class);
    assertEquals("done", template.call(client.lock("account:7"), lease -> inScope()));
    assertReleased();
  }

  @Test
  void soIsAMethodThatReturnsAStage() throws Exception {
    assertEquals("done", accounts.book("7", this::inScope).get(10, TimeUnit.SECONDS));
    assertReleased();
  }

  @Test
  void aPublisherHasItsParentFromTheContext() {
    Observation caller = Observation.start("caller", registry);
    Mono<String> watched =
        accounts
            .watch("7", () -> "done")
            .contextWrite(own -> own.put("micrometer.observation", caller));
    assertEquals("done", watched.block(Duration.ofSeconds(10)));
    assertReleased();
    assertSame(
        caller.getContextView(),
        Objects.requireNonNull(ended.only().getParentObservation()).getContextView());
  }

  @Test
  void aLockThatIsBusyOrLostIsSaidSo() throws Exception {
    assertThrows(
        LockTimeoutException.class,
        () -> client.lock("account:7").run(lease -> accounts.pay("7", this::inScope)));
    assertEquals("not_granted", ended.keys().get("outcome"));
    ended.ours.clear();
    assertThrows(
        LockLostException.class,
        () -> accounts.pay("7", () -> context.getBean(MemoryServer.class).revoke("account:7")));
    assertEquals("lost", ended.keys().get("outcome"));
  }

  /** With {@code management.observations.enable.holdfast=false}, Boot has such a predicate. */
  @Test
  void anObservationThatIsSwitchedOffLeavesTheCallersAlone() {
    ObservationPredicate off = (name, any) -> !NAME.equals(name);
    registry.observationConfig().observationPredicate(off);
    Observation caller = Observation.start("caller", registry);
    assertSame(
        caller,
        accounts
            .watch("7", () -> "done")
            .flatMap(
                done ->
                    Mono.deferContextual(
                        own -> Mono.just(own.<Observation>get("micrometer.observation"))))
            .contextWrite(own -> own.put("micrometer.observation", caller))
            .block(Duration.ofSeconds(10)));
    assertEquals("done", accounts.pay("7", () -> "done"));
    assertEquals(List.of(), ended.ours);
  }

  @Test
  void anApplicationWithoutARegistryRunsAsBefore() {
    try (ConfigurableApplicationContext plain = run(Plain.class)) {
      assertEquals("done", plain.getBean(Accounts.class).pay("7", () -> "done"));
    }
  }
}
