/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.Lease;
import io.holdfast.lock.spring.Locked.Busy;
import io.holdfast.lock.spring.Locked.Mode;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A bean whose methods read, write, and take permits. */
public class Prices {

  private static String work(Function<Lease, String> work, @Nullable Lease lease) {
    return lease == null ? "no lease" : work.apply(lease);
  }

  @Locked(name = "prices", mode = Mode.READ, maxWait = "0s")
  public String read(Function<Lease, String> work, @Nullable Lease lease) {
    return work(work, lease);
  }

  @Locked(name = "prices", mode = Mode.WRITE, maxWait = "0s", ttl = "9s")
  public String write(Function<Lease, String> work, @Nullable Lease lease) {
    return work(work, lease);
  }

  @Locked(name = "prices", mode = Mode.WRITE)
  public CompletableFuture<String> writeStage(Function<Lease, String> work, @Nullable Lease lease) {
    return CompletableFuture.completedFuture(work(work, lease));
  }

  @Locked(name = "prices", mode = Mode.READ)
  public Mono<String> readMono(Mono<String> work) {
    return work;
  }

  @Locked(name = "exports", permits = 2, of = 3, busy = Busy.SKIP)
  public @Nullable String export(Function<Lease, String> work, @Nullable Lease lease) {
    return work(work, lease);
  }

  /** Of as many as the client has by itself. */
  @Locked(name = "exports", permits = 1, maxWait = "0s")
  public String exportOne(Function<Lease, String> work, @Nullable Lease lease) {
    return work(work, lease);
  }

  @Locked(name = "exports", permits = 2, of = 3)
  public CompletableFuture<String> exportStage(CompletableFuture<String> work) {
    return work;
  }

  @Locked(name = "exports", permits = 2, of = 3)
  public Mono<String> exportMono(Mono<String> work) {
    return work;
  }
}
