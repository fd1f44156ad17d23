/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.worker.LockWorker;
import io.holdfast.lock.worker.StopReason;
import io.holdfast.lock.worker.Work;
import io.holdfast.lock.worker.WorkerOptions;
import io.holdfast.lock.worker.WorkerState;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application whose process is ended by the observer of its worker, once it has started. */
@Configuration(proxyBeanMethods = false)
@AutoConfigureMemoryLocks
@ImportAutoConfiguration(LeadersAutoConfiguration.class)
class ExitingObserver {

  static final int EXIT = 8;

  private final CompletableFuture<Void> mayExit = new CompletableFuture<>();

  @Bean
  LockWorker worker(LockClient client) {
    return new LockWorker(client, "w", new Idle(), WorkerOptions.defaults(), this::observe);
  }

  private void observe(WorkerState state) {
    if (state == WorkerState.WORKING) {
      mayExit.join();
      System.exit(EXIT);
    }
  }

  private static final class Idle implements Work {

    @Override
    public void start(Lease lease) {}

    @Override
    public void stop(StopReason reason) {}
  }

  public static void main(String[] args) throws InterruptedException {
    new SpringApplicationBuilder(ExitingObserver.class)
        .web(WebApplicationType.NONE)
        .run()
        .getBean(ExitingObserver.class)
        .mayExit
        .complete(null);
    Thread.currentThread().join();
  }
}
