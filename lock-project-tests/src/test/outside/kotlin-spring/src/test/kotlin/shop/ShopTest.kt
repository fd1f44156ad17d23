/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package shop

import io.holdfast.lock.LockClient
import io.holdfast.lock.servers.PostgresServer
import io.holdfast.lock.servers.RedisServer
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.context.ConfigurableApplicationContext
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers
import java.time.Duration
import java.util.concurrent.CompletableFuture

/** Two instances of a reactive application on PostgreSQL (R2DBC), whose locks are in Redis. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShopTest {
  private lateinit var postgres: PostgresServer
  private lateinit var redis: RedisServer
  private lateinit var instances: List<ConfigurableApplicationContext>
  private val http = HttpClient.newHttpClient()

  @BeforeAll
  fun start() {
    postgres = PostgresServer.launch()
    redis = RedisServer.launch()
    postgres.ask("CREATE TABLE stock (item TEXT PRIMARY KEY, left_over INT NOT NULL)")
    instances = List(2) { instance() }
  }

  private fun instance() =
    SpringApplicationBuilder(Shop::class.java)
      .properties(
        "server.port=0",
        "spring.r2dbc.url=r2dbc:postgresql://${postgres.host()}:${postgres.port()}/postgres",
        "spring.r2dbc.username=${PostgresServer.USER}",
        "spring.data.redis.host=${redis.host()}",
        "spring.data.redis.port=${redis.port()}",
        "holdfast.web.problem-details=true",
      )
      .run()

  @AfterAll
  fun stop() {
    instances.forEach { it.close() }
    redis.close()
    postgres.close()
  }

  private fun send(instance: Int, path: String): CompletableFuture<HttpResponse<String>> {
    val port = instances[instance].environment.getRequiredProperty("local.server.port")
    val request =
      HttpRequest.newBuilder(URI.create("http://localhost:$port$path"))
        .POST(HttpRequest.BodyPublishers.noBody())
        .build()
    return http.sendAsync(request, BodyHandlers.ofString())
  }

  private fun stock(item: String) = postgres.ask("INSERT INTO stock VALUES ('$item', 100)")

  private fun left(item: String) =
    postgres.ask("SELECT left_over FROM stock WHERE item = '$item'").single().toInt()

  private fun sell(how: String) {
    stock(how)
    val answers = (1..60).map { send(it % 2, "/$how/$how") }.map { it.join().statusCode() }
    assertEquals(List(60) { 200 }, answers)
    assertEquals(40, left(how))
  }

  @Test fun suspendingFunctionsLoseNoUpdate() = sell("suspending")

  @Test fun monosLoseNoUpdate() = sell("mono")

  @Test fun flowsLoseNoUpdate() = sell("flow")

  @Test
  fun nothingIsCommittedAfterALoss() {
    stock("lost")
    val answer = send(0, "/lose/lost").join()
    assertEquals(503, answer.statusCode(), answer.body())
    assertTrue("Lock lost" in answer.body(), answer.body())
    assertEquals(100, left("lost"))
  }

  @Test
  fun aBusyLockIsAnswered() {
    stock("busy")
    instances[1].getBean(LockClient::class.java).lock("item:busy").acquire().use {
      assertEquals(409, send(0, "/at-once/busy").join().statusCode())
    }
    assertEquals(200, send(0, "/at-once/busy").join().statusCode())
    assertEquals(99, left("busy"))
  }

  @Test
  fun aBusyLockIsSkipped() {
    stock("skipped")
    val goods = instances[0].getBean(Stock::class.java)
    instances[1].getBean(LockClient::class.java).lock("item:skipped").acquire().use {
      assertNull(runBlocking { goods.sellIfFree("skipped") })
    }
    assertEquals(99, runBlocking { goods.sellIfFree("skipped") })
    assertEquals(99, left("skipped"))
  }

  @Test
  fun aCoroutineThatIsCancelledGivesTheLockBackAndCommitsNothing() {
    stock("cancelled")
    runBlocking {
      val sold = CompletableDeferred<Unit>()
      val sale = launch { instances[0].getBean(Stock::class.java).sellForever("cancelled", sold) }
      sold.await()
      sale.cancelAndJoin()
    }
    val lock = instances[1].getBean(LockClient::class.java).lock("item:cancelled")
    lock.acquire(Duration.ofSeconds(20)).use { assertEquals(100, left("cancelled")) }
  }
}
