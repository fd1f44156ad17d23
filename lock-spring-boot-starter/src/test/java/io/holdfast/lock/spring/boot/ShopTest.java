/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.spring.boot.shop.Purchase;
import io.holdfast.lock.spring.boot.shop.Shop;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.slf4j.LoggerFactory;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Two instances of one application on PostgreSQL, whose locks are in Redis, over its own
 * connections. Compiled and run once more with each line of Spring Boot by {@code
 * SpringBootLinesTest} of {@code lock-project-tests}, so it uses nothing that those have in
 * different places.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ShopTest {

  private static final int REQUESTS = 60;
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final List<ConfigurableApplicationContext> INSTANCES = new ArrayList<>();

  private static PostgresServer postgres;
  private static RedisServer redis;

  @BeforeAll
  static void start() {
    postgres = PostgresServer.launch();
    redis = RedisServer.launch();
    for (String table :
        List.of(
            "stock (item TEXT PRIMARY KEY, left_over INT NOT NULL)",
            "running (job TEXT PRIMARY KEY)",
            "runs (id SERIAL PRIMARY KEY)",
            "reports (granted_at BIGINT NOT NULL)")) {
      postgres.ask("CREATE TABLE " + table);
    }
    INSTANCES.add(instance("read-only"));
    INSTANCES.add(instance("unrestricted"));
  }

  private static ConfigurableApplicationContext instance(String access) {
    return new SpringApplicationBuilder(Shop.class)
        .properties(
            "server.port=0",
            "spring.datasource.url=" + postgres.url(),
            "spring.datasource.username=holdfast",
            "spring.data.redis.port=" + redis.port(),
            "holdfast.provider=redis",
            "holdfast.namespace=shop",
            "holdfast.scenario.default.ttl=5s",
            "holdfast.web.problem-details=true",
            "management.endpoints.web.exposure.include=health,locks",
            "management.endpoint.health.show-details=always",
            "management.endpoint.locks.access=" + access)
        .run();
  }

  @AfterAll
  static void stop() {
    INSTANCES.forEach(ConfigurableApplicationContext::close);
    if (redis != null) {
      redis.close();
    }
    if (postgres != null) {
      postgres.close();
    }
  }

  private static URI uri(int instance, String path) {
    String port = INSTANCES.get(instance).getEnvironment().getRequiredProperty("local.server.port");
    return URI.create("http://localhost:" + port + path);
  }

  private static HttpResponse<String> send(int instance, String method, String path)
      throws Exception {
    return HTTP.send(request(instance, method, path), BodyHandlers.ofString());
  }

  private static HttpRequest request(int instance, String method, String path) {
    return HttpRequest.newBuilder(uri(instance, path))
        .method(method, HttpRequest.BodyPublishers.noBody())
        .build();
  }

  private static JdbcTemplate database() {
    return INSTANCES.get(1).getBean(JdbcTemplate.class);
  }

  private static void stock(String item) {
    database().update("INSERT INTO stock VALUES (?, ?)", item, 100);
  }

  private static int left(String item) {
    Integer left =
        database()
            .queryForObject("SELECT left_over FROM stock WHERE item = ?", Integer.class, item);
    return left == null ? -1 : left;
  }

  /** All at once, to both. */
  private static void sell(String path, String item) {
    stock(item);
    List<CompletableFuture<HttpResponse<String>>> answers =
        IntStream.range(0, REQUESTS)
            .mapToObj(
                i -> HTTP.sendAsync(request(i % 2, "POST", path + item), BodyHandlers.ofString()))
            .toList();
    assertEquals(
        "200".repeat(REQUESTS),
        answers.stream()
            .map(answer -> String.valueOf(answer.join().statusCode()))
            .collect(Collectors.joining()));
    assertEquals(100 - REQUESTS, left(item));
  }

  @Test
  @Order(1)
  void noUpdateIsLostWithATransactionWithinTheLock() {
    sell("/sell/", "bread");
    for (ConfigurableApplicationContext instance : INSTANCES) {
      await(
          () ->
              instance
                      .getBean(MeterRegistry.class)
                      .get("holdfast.lock.wait")
                      .tags("client", "default", "outcome", "granted")
                      .timer()
                      .count()
                  >= REQUESTS / 2);
      // Boot makes meters of observations, too.
      await(
          () ->
              instance
                      .getBean(MeterRegistry.class)
                      .get("holdfast.lock.run")
                      .tags("family", "all", "mode", "lock", "outcome", "released")
                      .timer()
                      .count()
                  >= REQUESTS / 2);
    }
  }

  @Test
  @Order(2)
  void noUpdateIsLostWithTheLockWithinATransaction() {
    sell("/sell-within/", "milk");
  }

  @Test
  @Order(3)
  void nothingIsCommittedIfTheLockIsLost() throws Exception {
    for (String path : List.of("/lose/", "/lose-within/")) {
      String item = path.substring(1, path.length() - 1);
      stock(item);
      HttpResponse<String> answer = send(0, "POST", path + item);
      assertEquals(503, answer.statusCode(), answer.body());
      assertTrue(answer.body().contains("\"Lock lost\""), answer.body());
      assertEquals(100, left(item), path);
    }
  }

  @Test
  @Order(4)
  void aBusyLockIsAnsweredAsAProblem() throws Exception {
    stock("tea");
    try (Lease lease = INSTANCES.get(1).getBean(LockClient.class).lock("item:tea").acquire()) {
      HttpResponse<String> answer = send(0, "POST", "/sell-at-once/tea");
      assertEquals(409, answer.statusCode(), answer.body());
      assertEquals(
          "application/problem+json", answer.headers().firstValue("content-type").orElse(""));
      assertFalse(answer.body().contains("item:tea"), answer.body());
      lease.ensureValid();
    }
    assertEquals(200, send(0, "POST", "/sell-at-once/tea").statusCode());
  }

  @Test
  @Order(5)
  void healthSaysWhatTheServerDoes() throws Exception {
    HttpResponse<String> answer = send(0, "GET", "/actuator/health/locks");
    assertEquals(200, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("\"status\":\"UP\""), answer.body());
    assertTrue(answer.body().contains("\"findings\""), answer.body());
  }

  @Test
  @Order(6)
  void theEndpointShowsHoldersAndEvictsThemIfItMay() throws Exception {
    Lease lease = INSTANCES.get(0).getBean(LockClient.class).lock("a/b c").acquire();
    String path = "/actuator/locks/a/b%20c";
    HttpResponse<String> all = send(0, "GET", "/actuator/locks");
    assertTrue(all.body().contains("\"a/b c\""), all.body());
    HttpResponse<String> one = send(0, "GET", path);
    assertTrue(one.body().contains(lease.ownerId()), one.body());
    String evict = path + "?owner=" + lease.ownerId();
    assertNotEquals(200, send(0, "DELETE", evict).statusCode());
    assertEquals("{\"lockClient\":false}", send(1, "DELETE", path + "?owner=nobody").body());
    lease.ensureValid();
    assertEquals("{\"lockClient\":true}", send(1, "DELETE", evict).body());
    lease.loss().get(30, TimeUnit.SECONDS);
    assertEquals(404, send(0, "GET", path).statusCode());
  }

  @Test
  @Order(6)
  void theEndpointShowsWhatEachHolderHas() throws Exception {
    DistributedSemaphore permits = INSTANCES.get(0).getBean(LockClient.class).semaphore("p", 3);
    Lease two = permits.permits(2).acquire();
    Lease one = INSTANCES.get(1).getBean(LockClient.class).semaphore("p", 3).permit().acquire();
    String held = send(0, "GET", "/actuator/locks/p").body();
    assertTrue(held.contains("\"share\":\"2 of 3\""), held);
    assertTrue(held.contains("\"share\":\"1 of 3\""), held);
    assertTrue(send(0, "GET", "/actuator/locks").body().contains("\"share\":\"1 of 3\""));
    String evict = "/actuator/locks/p?owner=" + one.ownerId();
    assertEquals("{\"lockClient\":true}", send(1, "DELETE", evict).body());
    one.loss().get(30, TimeUnit.SECONDS);
    two.ensureValid();
    two.release();
  }

  @Test
  @Order(7)
  void aJobRunsInOneInstanceAtATime() {
    await(() -> count("runs") > 10);
    assertEquals(List.of(), errorsOfJobs());
  }

  /** Seven ticks of each of two instances fit into the minimum hold. */
  @Test
  @Order(8)
  void aJobRunsOnceForAllInstances() {
    await(() -> count("reports") > 3);
    Long shortest =
        database()
            .queryForObject(
                "SELECT min(pause) FROM (SELECT granted_at - lag(granted_at) OVER (ORDER BY"
                    + " granted_at) AS pause FROM reports) pauses",
                Long.class);
    assertTrue(shortest != null && shortest > 1_900_000, "after " + shortest + " µs");
  }

  private static List<String> errorsOfJobs() {
    return LOG.list.stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(Level.ERROR))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  private static int count(String table) {
    Integer count = database().queryForObject("SELECT count(*) FROM " + table, Integer.class);
    return count == null ? 0 : count;
  }

  @Test
  @Order(9)
  void oneInstanceLeadsAndTheOtherFollowsWhenThatEnds() {
    await(() -> leading().count() == 1);
    ConfigurableApplicationContext leader = leading().findFirst().orElseThrow();
    String name =
        INSTANCES.get(0).getBean(Leaders.class).leader("purchase").orElseThrow().lockName();
    assertEquals("purchase", name);
    assertTrue(leader.getBean(Leaders.class).isLeader("purchase"));
    LOG.list.clear();
    leader.close();
    assertEquals(List.of(), complaints());
    INSTANCES.remove(leader);
    await(() -> leading().count() == 1);
  }

  private static List<String> complaints() {
    return LOG.list.stream()
        .filter(
            event ->
                event.getLevel().isGreaterOrEqual(Level.WARN) || event.getThrowableProxy() != null)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  private static Stream<ConfigurableApplicationContext> leading() {
    return INSTANCES.stream().filter(instance -> instance.getBean(Purchase.class).isLeading());
  }

  @Test
  @Order(10)
  void aServerThatIsAwayIsAnsweredAsAProblem() throws Exception {
    redis.close();
    HttpResponse<String> answer = send(0, "POST", "/sell-at-once/tea");
    assertEquals(503, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("\"Locks unavailable\""), answer.body());
    HttpResponse<String> health = send(0, "GET", "/actuator/health/locks");
    assertEquals(503, health.statusCode(), health.body());
    assertTrue(health.body().contains("\"status\":\"DOWN\""), health.body());
  }

  private static final ListAppender<ILoggingEvent> LOG = new ListAppender<>();

  @BeforeAll
  static void listen() {
    // It is looked at while the instances write it.
    LOG.list = new CopyOnWriteArrayList<>();
    LOG.start();
    ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).addAppender(LOG);
  }

  private static void await(java.util.function.BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "waited for too long");
      new CompletableFuture<Void>().completeOnTimeout(null, 20, TimeUnit.MILLISECONDS).join();
    }
  }
}
