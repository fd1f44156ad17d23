/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package shop

import io.holdfast.lock.Lease
import io.holdfast.lock.LockClient
import io.holdfast.lock.spring.FencingToken
import io.holdfast.lock.spring.Locked
import io.holdfast.lock.spring.Locked.Busy
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.future.await
import kotlinx.coroutines.reactor.awaitSingle
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.r2dbc.core.DatabaseClient
import org.springframework.stereotype.Service
import org.springframework.transaction.annotation.Transactional
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RestController
import reactor.core.publisher.Mono
import java.time.Duration

/** Sells what is in stock, without a thread that waits. */
@SpringBootApplication
open class Shop

/** Where customers ask. */
@RestController
open class Counter(private val stock: Stock) {

  @PostMapping("/suspending/{item}")
  open suspend fun suspending(@PathVariable item: String) = stock.sell(item, 0).toString()

  @PostMapping("/mono/{item}")
  open fun mono(@PathVariable item: String) = stock.sellMono(item).map(Int::toString)

  @PostMapping("/flow/{item}")
  open suspend fun flow(@PathVariable item: String): String {
    var last = 0
    stock.sellFlow(item).collect { last = it }
    return last.toString()
  }

  @PostMapping("/at-once/{item}")
  open suspend fun atOnce(@PathVariable item: String) = stock.sellAtOnce(item).toString()

  @PostMapping("/lose/{item}")
  open suspend fun lose(@PathVariable item: String) = stock.lose(item, null).toString()
}

/** Reads, thinks, and writes; only a lock keeps two from doing so at once. */
@Service
open class Stock(private val database: DatabaseClient, private val locks: LockClient) {

  @Locked(name = "item", key = "#item", maxWait = "60s")
  @Transactional
  open suspend fun sell(item: String, @FencingToken token: Long): Int {
    check(token > 0)
    val left = read(item).awaitSingle()
    delay(3)
    return write(item, left - 1).awaitSingle()
  }

  @Locked(name = "item", key = "#item", maxWait = "60s")
  @Transactional
  open fun sellMono(item: String): Mono<Int> =
    read(item).delayElement(Duration.ofMillis(3)).flatMap { write(item, it - 1) }

  @Locked(name = "item", key = "#item", maxWait = "60s")
  @Transactional
  open fun sellFlow(item: String): Flow<Int> = flow {
    val left = read(item).awaitSingle()
    emit(left)
    delay(3)
    emit(write(item, left - 1).awaitSingle())
  }

  @Locked(name = "item", key = "#item", maxWait = "0s")
  @Transactional
  open suspend fun sellAtOnce(item: String): Int = write(item, read(item).awaitSingle() - 1).awaitSingle()

  @Locked(name = "item", key = "#item", busy = Busy.SKIP)
  @Transactional
  open suspend fun sellIfFree(item: String): Int? = write(item, read(item).awaitSingle() - 1).awaitSingle()

  /** Does not end by itself. */
  @Locked(name = "item", key = "#item")
  @Transactional
  open suspend fun sellForever(item: String, sold: CompletableDeferred<Unit>) {
    write(item, read(item).awaitSingle() - 1).awaitSingle()
    sold.complete(Unit)
    awaitCancellation()
  }

  /** Loses its lock before the commit: by this, or before, if the machine stood still for as long. */
  @Locked(name = "item", key = "#item", ttl = "1s")
  @Transactional
  open suspend fun lose(item: String, lease: Lease?): Int {
    val left = write(item, read(item).awaitSingle() - 1).awaitSingle()
    locks.inspector().holder(lease!!.lockName()).ifPresent { locks.inspector().evict(it) }
    lease.loss().await()
    return left
  }

  private fun read(item: String): Mono<Int> =
    database
      .sql("SELECT left_over FROM stock WHERE item = :item")
      .bind("item", item)
      .map { row -> row.get(0) as Int }
      .one()

  private fun write(item: String, left: Int): Mono<Int> =
    database
      .sql("UPDATE stock SET left_over = :left WHERE item = :item")
      .bind("left", left)
      .bind("item", item)
      .fetch()
      .rowsUpdated()
      .thenReturn(left)
}
