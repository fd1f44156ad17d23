/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders

import io.holdfast.lock.Lease
import io.holdfast.lock.LockClient
import io.holdfast.lock.LockLostException
import io.holdfast.lock.LockOptions
import io.holdfast.lock.Locks
import io.holdfast.lock.servers.Conditions
import io.holdfast.lock.servers.RedisServer
import java.time.Duration
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.supervisorScope
import kotlinx.coroutines.yield
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LockedTest {
  private lateinit var server: RedisServer
  private lateinit var locks: LockClient
  private lateinit var others: LockClient

  @BeforeAll
  fun open() {
    server = RedisServer.launch()
    val settings =
      mapOf("uri" to "redis://${server.host()}:${server.port()}", "command-timeout" to "5s")
    locks = Locks.open("redis", settings)
    others = Locks.open("redis", settings)
  }

  @AfterAll
  fun close() {
    others.close()
    locks.close()
    server.close()
  }

  private fun free(name: String) = others.inspector().holder(name).isEmpty

  @Test
  fun coroutinesTakeTurns() = runBlocking<Unit>(Dispatchers.Default) {
    var count = 0
    (1..20)
      .map {
        async {
          locks.lock("order:7").locked { lease: Lease ->
            val before = count
            yield()
            assertTrue(lease.isValid)
            count = before + 1
          }
        }
      }
      .awaitAll()
    assertEquals(20, count)
    assertTrue(free("order:7"))
  }

  @Test
  fun aFailureGivesItBack() = runBlocking<Unit> {
    val failed = runCatching { locks.lock("order:8").locked { error("full") } }
    assertEquals("full", failed.exceptionOrNull()?.message)
    assertTrue(free("order:8"))
  }

  @Test
  fun cancellingTheWorkGivesItBack() = runBlocking<Unit> {
    val begun = CompletableDeferred<Unit>()
    val job = launch {
      locks.lock("order:9").locked {
        begun.complete(Unit)
        awaitCancellation()
      }
    }
    begun.await()
    assertTrue(!free("order:9"))
    job.cancelAndJoin()
    assertTrue(free("order:9"))
  }

  @Test
  fun cancellingTheWaitLeavesNothingBehind() = runBlocking<Unit> {
    val lease = others.lock("order:10").acquire()
    val waiter = launch(Dispatchers.Default) { locks.lock("order:10").locked {} }
    Conditions.stays("it waits", Duration.ofMillis(100)) { waiter.isActive }
    waiter.cancelAndJoin()
    lease.release()
    Conditions.stays("nobody takes it", Duration.ofMillis(500)) { free("order:10") }
  }

  @Test
  fun cancellingAtAnyMomentLeavesNothingBehind() = runBlocking<Unit> {
    repeat(3_000) { round ->
      val job = launch(Dispatchers.Default) { locks.lock("order:11").locked { awaitCancellation() } }
      repeat(round % 300 * 40) { Thread.onSpinWait() }
      job.cancelAndJoin()
    }
    Conditions.settles("it is free", Duration.ofSeconds(20), Duration.ofMillis(300)) {
      free("order:11")
    }
  }

  @Test
  fun aLossCancelsTheWork() = runBlocking<Unit> {
    val options = LockOptions.defaults().withTtl(Duration.ofSeconds(3))
    supervisorScope {
      val begun = CompletableDeferred<Unit>()
      val work = async {
        locks.lock("order:12", options).locked {
          begun.complete(Unit)
          awaitCancellation()
        }
      }
      begun.await()
      assertTrue(others.inspector().evict(others.inspector().holder("order:12").get()))
      val failure = runCatching { work.await() }.exceptionOrNull()
      assertTrue(failure is LockLostException, "$failure")
    }
  }
}
