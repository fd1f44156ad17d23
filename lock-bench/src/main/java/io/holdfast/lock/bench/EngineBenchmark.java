/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Acquire and release in memory: through the engine, and the backend by itself. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EngineBenchmark {

  private static final String PROVIDER = "memory";
  private static final ClaimRequest REQUEST =
      new ClaimRequest("bench", "somebody", Duration.ofSeconds(30));
  private static final ClaimSignals NOBODY =
      new ClaimSignals() {
        @Override
        public void wake() {}

        @Override
        public void lost(LossReason reason) {}
      };

  private LockClient client = open();
  private DistributedLock lock = client.lock("bench");
  private LockBackend<?> backend = openBackend();

  /** For JMH. */
  public EngineBenchmark() {}

  private static LockClient open() {
    return Locks.open(PROVIDER, Map.of());
  }

  private static LockBackend<?> openBackend() {
    return Locks.provider(PROVIDER).open(new Settings(PROVIDER, Map.of()));
  }

  /** For JMH, whose instances may be used again. */
  @Setup
  public void begin() {
    end();
    client = open();
    lock = client.lock("bench");
    backend = openBackend();
  }

  /** For JMH. */
  @TearDown
  public void end() {
    client.close();
    backend.close();
  }

  /** For JMH; not earlier, as the types of events are known only once locks were used. */
  @TearDown
  public void checkFlightRecorder() {
    JfrState.check();
  }

  /**
   * As users do it.
   *
   * @return so that it is not optimised away
   * @throws InterruptedException never
   */
  @Benchmark
  public ReleaseOutcome engineAndBackend() throws InterruptedException {
    return lock.acquire().release();
  }

  /**
   * The calls that the engine makes.
   *
   * @return so that it is not optimised away
   */
  @Benchmark
  public ReleaseAnswer backendAlone() {
    LockClaim claim = backend.claim(REQUEST, NOBODY);
    claim.attempt().toCompletableFuture().join();
    return claim.release().toCompletableFuture().join();
  }
}
