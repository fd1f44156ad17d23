/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.fencing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.guard.FencingHeader;
import io.holdfast.lock.guard.SqlGuard;
import io.holdfast.lock.guard.TokenGuard;
import io.holdfast.lock.redis.RedisGuard;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/fencing.md}, with the leases of a real lock and real resources. */
class FencingExamplesTest {

  private static RedisServer redis;
  private static LockClient locks;

  @BeforeAll
  static void open() {
    redis = RedisServer.launch();
    locks = Locks.open("redis", Map.of("uri", address(), "command-timeout", "5s"));
  }

  @AfterAll
  static void close() {
    locks.close();
    redis.close();
  }

  private static String address() {
    return "redis://" + redis.host() + ":" + redis.port();
  }

  /** One that is over, and one that came later. */
  private static Lease[] leases() throws InterruptedException {
    Lease old = locks.lock("report").acquire();
    old.release();
    Lease next = locks.lock("report").acquire();
    next.release();
    return new Lease[] {old, next};
  }

  @Test
  void anythingInOneTransaction() throws Exception {
    try (PostgresServer server = PostgresServer.launch();
        Connection connection = DriverManager.getConnection(server.url(), PostgresServer.USER, "");
        Statement statement = connection.createStatement()) {
      try (InputStream ddl =
          Objects.requireNonNull(SqlGuard.class.getResourceAsStream("holdfast_fence.sql"))) {
        statement.execute(new String(ddl.readAllBytes(), StandardCharsets.UTF_8));
      }
      statement.execute("CREATE TABLE paid (account INT)");
      connection.setAutoCommit(false);
      Lease[] leases = leases();
      pay(connection, statement, leases[1]);
      assertThrows(StaleTokenException.class, () -> pay(connection, statement, leases[0]));
      connection.rollback();
      assertEquals("1", server.ask("SELECT count(*) FROM paid").get(0));
    }
  }

  private static void pay(Connection connection, Statement statement, Lease lease)
      throws SQLException {
    SqlGuard.check(connection, "payments", lease.fencingToken());
    statement.executeUpdate("INSERT INTO paid VALUES (7)");
    connection.commit();
  }

  @Test
  void hashesInRedis() throws InterruptedException {
    RedisClient client = RedisClient.create(address());
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      Lease[] leases = leases();
      Lease lease = leases[1];
      RedisGuard guard = new RedisGuard(connection.async(), Duration.ofSeconds(5));
      guard.put("report:7", lease.fencingToken(), Map.of("text", "B"));
      assertThrows(
          StaleTokenException.class,
          () -> guard.put("report:7", leases[0].fencingToken(), Map.of("text", "A")));
      assertEquals("B", redis.command("HGET", "report:7", "text"));
    } finally {
      client.shutdown();
    }
  }

  @Test
  void requestsOfHttp() throws Exception {
    TokenGuard guard = new TokenGuard("report 7");
    StringBuilder written = new StringBuilder();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/report", exchange -> answer(exchange, status(exchange, guard, written)));
    server.start();
    try {
      URI report = URI.create("http://localhost:" + server.getAddress().getPort() + "/report");
      Lease[] leases = leases();
      assertEquals(204, send(report, leases[1]));
      assertEquals(204, send(report, leases[1]));
      assertEquals(412, send(report, leases[0]));
      assertEquals(428, send(HttpRequest.newBuilder(report)));
      assertEquals(400, send(HttpRequest.newBuilder(report).header("Fencing-Token", "x")));
      assertEquals("..", written.toString());
    } finally {
      server.stop(0);
    }
  }

  private static int send(URI report, Lease lease) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(report).header(FencingHeader.NAME, FencingHeader.of(lease));
    return send(request);
  }

  private static int send(HttpRequest.Builder request) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            request.PUT(HttpRequest.BodyPublishers.ofString(".")).build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private static int status(HttpExchange exchange, TokenGuard guard, StringBuilder written) {
    String header = exchange.getRequestHeaders().getFirst(FencingHeader.NAME);
    if (header == null) {
      return 428;
    }
    try {
      guard.call(FencingHeader.parse(header), () -> written.append(body(exchange)));
      return 204;
    } catch (StaleTokenException e) {
      return 412;
    } catch (IllegalArgumentException e) {
      return 400;
    } catch (Exception e) {
      return 500;
    }
  }

  private static String body(HttpExchange exchange) throws IOException {
    return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static void answer(HttpExchange exchange, int status) throws IOException {
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }
}
