/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.example.orders.Shop.Instance;
import io.holdfast.lock.servers.Conditions;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Two instances of the application, each a process of its own, on real servers. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OrdersTest {

  private static final int REQUESTS = 60;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration A_WHILE = Duration.ofMillis(500);
  private static final String[] PROPERTIES = {
    "--holdfast.scenario.default.ttl=6s",
    "--orders.max-wait=60s",
    "--orders.report.every=300ms",
    "--orders.report.hold=2s"
  };

  private static Shop shop;
  private static volatile List<Instance> instances = List.of();

  @TempDir Path dir;

  @BeforeAll
  static void start() {
    shop = new Shop();
    instances = List.of(shop.start(PROPERTIES), shop.start(PROPERTIES));
    instances.forEach(Instance::awaitStart);
  }

  @AfterAll
  static void stop() {
    if (shop != null) {
      shop.close();
    }
  }

  private static Instance one() {
    return instances.get(0);
  }

  private static Instance two() {
    return instances.get(1);
  }

  private static long number(String sql) {
    return Long.parseLong(shop.ask(sql).get(0));
  }

  private static long left(String item) {
    return number("SELECT left_over FROM stock WHERE item = '" + item + "'");
  }

  private static void until(String what, BooleanSupplier condition) {
    Conditions.until(what, PATIENCE, condition);
  }

  @Test
  @Order(1)
  void sixtyOfSixtyOrdersCount() {
    List<CompletableFuture<HttpResponse<String>>> answers =
        IntStream.range(0, REQUESTS)
            .mapToObj(
                i -> Web.order(instances.get(i % 2), UUID.randomUUID(), "bread", PATIENCE))
            .toList();
    assertEquals(
        "200".repeat(REQUESTS),
        answers.stream()
            .map(answer -> String.valueOf(answer.join().statusCode()))
            .collect(Collectors.joining()));
    assertEquals(100_000 - REQUESTS, left("bread"));
    assertEquals(REQUESTS, number("SELECT count(*) FROM orders WHERE item = 'bread'"));
    assertEquals(2, number("SELECT count(DISTINCT taken_by) FROM orders"));
  }

  @Test
  @Order(2)
  void anOrderThatIsSentTwiceCountsOnce() {
    UUID id = UUID.randomUUID();
    long before = left("milk");
    String first = Web.order(one(), id, "milk", PATIENCE).join().body();
    assertEquals(first, Web.order(two(), id, "milk", PATIENCE).join().body());
    assertEquals(before - 1, left("milk"));
    assertEquals(Optional.of(first), Web.found(two(), "/orders/" + id));
  }

  /** Taken away while the transaction waits for the row. */
  @Test
  @Order(3)
  void nothingIsCommittedAfterTheLockWasLost() throws Exception {
    UUID id = UUID.randomUUID();
    double losses = Web.count(one(), "holdfast.lock.losses");
    CompletableFuture<HttpResponse<String>> answer;
    try (Connection row = shop.lock("SELECT 1 FROM stock WHERE item = 'tea' FOR UPDATE")) {
      answer = Web.order(one(), id, "tea", PATIENCE);
      until(
          "the order waits for the row",
          () -> number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") > 0);
      Map<String, String> holder = Web.holder(two(), "stock:tea");
      assertEquals(one().name(), holder.get("client"));
      assertEquals(
          "{\"lockClient\":true}",
          Web.delete(two(), "/actuator/locks/stock:tea?owner=" + holder.get("owner")).body());
      until("the loss is noticed", () -> Web.count(one(), "holdfast.lock.losses") > losses);
    }
    HttpResponse<String> lost = answer.join();
    assertEquals(503, lost.statusCode(), lost::body);
    assertTrue(lost.body().contains("\"Lock lost\""), lost::body);
    assertEquals(100_000, left("tea"));
    assertEquals(Optional.empty(), Web.found(two(), "/orders/" + id));
    assertEquals(200, Web.order(two(), id, "tea", PATIENCE).join().statusCode());
  }

  /** Orders that are under way share the price list, and nobody writes it. */
  @Test
  @Order(4)
  void aChangeOfAPriceWaitsForTheOrdersOfBoth() throws Exception {
    UUID id = UUID.randomUUID();
    CompletableFuture<HttpResponse<String>> order;
    CompletableFuture<HttpResponse<String>> change;
    try (Connection row = shop.lock("SELECT 1 FROM stock WHERE item = 'tea' FOR UPDATE")) {
      order = Web.order(one(), id, "tea", PATIENCE);
      until("it has the price", () -> Web.shares(two(), "prices").equals(List.of("read")));
      assertEquals(
          200, Web.order(two(), UUID.randomUUID(), "milk", PATIENCE).join().statusCode());
      change = Web.price(two(), "tea", 310);
      Conditions.stays("it waits", A_WHILE, () -> !change.isDone());
    }
    assertEquals(200, order.join().statusCode());
    assertEquals(200, change.join().statusCode());
    assertEquals(300, number("SELECT cents FROM orders WHERE id = '" + id + "'"));
  }

  @Test
  @Order(5)
  void anOrderWaitsForAChangeOfAPrice() throws Exception {
    UUID id = UUID.randomUUID();
    CompletableFuture<HttpResponse<String>> order;
    try (Connection row = shop.lock("SELECT 1 FROM prices WHERE item = 'tea' FOR UPDATE")) {
      Web.price(one(), "tea", 320);
      until("it is written", () -> Web.shares(two(), "prices").equals(List.of("write")));
      order = Web.order(two(), id, "tea", PATIENCE);
      Conditions.stays("it waits", A_WHILE, () -> !order.isDone());
    }
    assertEquals(200, order.join().statusCode());
    assertEquals(320, number("SELECT cents FROM orders WHERE id = '" + id + "'"));
  }

  @Test
  @Order(6)
  void twoExportsOfBothRunAtOnce() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> exports;
    try (Connection table = shop.lock("LOCK TABLE orders")) {
      exports = instances.stream().map(Web::export).toList();
      until("two run", () -> Web.shares(one(), "exports").equals(List.of("1 of 2", "1 of 2")));
      for (Instance instance : instances) {
        assertEquals(409, Web.export(instance).join().statusCode());
      }
    }
    for (CompletableFuture<HttpResponse<String>> export : exports) {
      HttpResponse<String> answer = export.join();
      assertEquals(200, answer.statusCode(), answer::body);
      assertTrue(answer.body().contains(",tea,1,"), answer::body);
    }
  }

  /** Nearly two seconds apart, though one may be written some time after it has got its lock. */
  @Test
  @Order(7)
  void reportsAreWrittenOnceForBoth() {
    until("there are reports", () -> number("SELECT count(*) FROM reports") > 5);
    String pause =
        shop.ask("SELECT extract(epoch FROM max(at) - min(at)) / (count(*) - 1) FROM reports")
            .get(0);
    assertTrue(Double.parseDouble(pause) > 1.2, "every " + pause + " s");
  }

  @Test
  @Order(8)
  void oneInstanceShips() {
    until(
        "all is shipped",
        () -> number("SELECT count(*) FROM orders WHERE shipped_by IS NULL") == 0);
    String leader = Web.holder(one(), "shipping").getOrDefault("client", "none");
    assertEquals(leader, Web.holder(two(), "shipping").get("client"));
    assertEquals(List.of(leader), shop.ask("SELECT DISTINCT shipped_by FROM orders"));
  }

  @Test
  @Order(9)
  void theActuatorShowsLocksHealthAndMeters() {
    String locks = Web.found(one(), "/actuator/locks").orElse("");
    assertTrue(locks.contains("\"name\":\"shipping\""), locks);
    String health = Web.found(two(), "/actuator/health/locks").orElse("");
    assertTrue(health.contains("\"status\":\"UP\""), health);
    assertTrue(Web.count(one(), "holdfast.lock.wait") >= REQUESTS / 2);
    assertTrue(Web.count(two(), "holdfast.lock.hold") >= REQUESTS / 2);
  }

  @Test
  @Order(10)
  void thePageShowsWhoHoldsWhat() throws Exception {
    Optional<Browser> browser = Browser.installed();
    assumeTrue(browser.isPresent(), "SKIPPED, as Chromium is not installed");
    String leader = Web.holder(one(), "shipping").getOrDefault("client", "none");
    for (boolean dark : List.of(false, true)) {
      Browser.Seen seen = browser.get().look(dir.resolve("dark-" + dark), two(), dark);
      assertEquals(List.of(), seen.console());
      for (String width : List.of("360", "1400")) {
        Map<String, String> facts = seen.facts();
        assertEquals("0", facts.get("overflow " + width), facts::toString);
        assertTrue(
            facts.getOrDefault("held " + width, "").contains("shipping held by " + leader),
            facts::toString);
        String contrast = facts.getOrDefault("contrast " + width, "0");
        assertTrue(Double.parseDouble(contrast.split(" ", 2)[0]) >= 4.5, facts::toString);
        assertEquals(
            dark ? "rgb(13,17,23)" : "rgb(247,248,250)", facts.get("background " + width));
        assertEquals("20 of 20 orders of bread were taken.", facts.get("orders " + width));
      }
    }
  }

  /** Every order is sent until it is taken; so each has to be there, once. */
  @Test
  @Order(11)
  @Tag("faults")
  void noOrderIsLostOrDoubledWhenOneIsKilledAndTheOtherSuspended() throws Exception {
    long bread = left("bread");
    long milk = left("milk");
    TreeSet<String> before = new TreeSet<>(shop.ask("SELECT id FROM orders"));
    try (Customers customers = new Customers(() -> instances, "bread", "milk")) {
      awaitMore(customers);
      one().process().kill();
      awaitMore(customers);
      instances = List.of(shop.start(PROPERTIES).awaitStart(), two());
      awaitMore(customers);
      two().process().suspend();
      Conditions.stays("it is suspended", Duration.ofSeconds(8), () -> true);
      awaitMore(customers);
      two().process().resume();
      String byTwo = "SELECT count(*) FROM orders WHERE taken_by = '" + two().name() + "'";
      long sofar = number(byTwo);
      until("the instance that was suspended takes orders", () -> number(byTwo) > sofar + 10);
      awaitMore(customers);
      customers.finish();

      Map<UUID, String> taken = customers.taken();
      TreeSet<String> orders = new TreeSet<>(shop.ask("SELECT id FROM orders"));
      orders.removeAll(before);
      assertEquals(
          taken.keySet().stream().map(UUID::toString).collect(Collectors.toCollection(TreeSet::new)),
          orders);
      assertEquals(bread - count(taken, "bread"), left("bread"));
      assertEquals(milk - count(taken, "milk"), left("milk"));
      System.out.println("orders that were taken: " + taken.size());
    }
    until(
        "all is shipped",
        () -> number("SELECT count(*) FROM orders WHERE shipped_by IS NULL") == 0);
  }

  private static void awaitMore(Customers customers) {
    int sofar = customers.taken().size();
    until("more orders are taken", () -> customers.taken().size() > sofar + 40);
  }

  private static long count(Map<UUID, String> taken, String item) {
    return taken.values().stream().filter(item::equals).count();
  }
}
