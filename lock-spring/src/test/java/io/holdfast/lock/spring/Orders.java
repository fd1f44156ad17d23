/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.Lease;
import io.holdfast.lock.spring.Locked.Busy;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A bean whose methods are locked in every way. */
public class Orders {

  private final AtomicInteger calls = new AtomicInteger();

  /** An argument with a part that names a lock. */
  public record Order(long id) {}

  public int calls() {
    return calls.get();
  }

  @Locked(name = "order", key = "#order.id")
  public String ship(Order order, @Nullable Lease lease, @FencingToken long token) {
    return lease == null ? "" : lease.lockName() + " " + (lease.fencingToken() == token);
  }

  @Locked(name = "${region}", maxWait = "2s")
  public int count(Supplier<Integer> work) {
    calls.incrementAndGet();
    return work.get();
  }

  @Locked(name = "eu", ttl = "${region.ttl}")
  public Optional<String> nested(Orders proxy) {
    return Optional.of("counted " + proxy.count(() -> 5));
  }

  @Locked(key = "#a0", busy = Busy.SKIP)
  public @Nullable String skip(String name) {
    calls.incrementAndGet();
    return name;
  }

  @Locked(key = "#p0", busy = Busy.SKIP)
  public Optional<String> skipOptional(String name) {
    return Optional.of(name);
  }

  @Locked(key = "#p0")
  public String print(String name) {
    return name;
  }

  @Locked(key = "#p0")
  public void untilReleased(String name, CountDownLatch entered, CountDownLatch leave)
      throws InterruptedException {
    entered.countDown();
    leave.await();
  }

  @Locked(key = "#name")
  public CompletableFuture<String> stage(String name, CompletableFuture<String> work) {
    calls.incrementAndGet();
    return work;
  }

  @Locked(key = "#name", busy = Busy.SKIP)
  public CompletableFuture<String> skipStage(String name) {
    return CompletableFuture.completedFuture(name);
  }

  @Locked(key = "#name")
  public Mono<String> mono(String name, Mono<String> work) {
    calls.incrementAndGet();
    return work;
  }

  @Locked(key = "#name", busy = Busy.SKIP)
  public Mono<String> skipMono(String name) {
    return Mono.just(name);
  }

  @Locked(key = "#name", maxWait = "0s")
  public Flux<Integer> flux(String name, Flux<Integer> work) {
    return work;
  }
}
