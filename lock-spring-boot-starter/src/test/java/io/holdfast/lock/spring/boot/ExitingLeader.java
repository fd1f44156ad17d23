/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.Lease;
import io.holdfast.lock.worker.StopReason;
import io.holdfast.lock.worker.Work;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application that is ended by what it leads, on the thread of that. */
@Configuration(proxyBeanMethods = false)
@AutoConfigureMemoryLocks
@ImportAutoConfiguration(LeadersAutoConfiguration.class)
@Import(ExitingLeader.Purchase.class)
class ExitingLeader {

  static final int EXIT = 7;

  /** What to do when it leads; given once the application runs. */
  @Leads("purchase")
  static class Purchase implements Work {

    private final CompletableFuture<Runnable> toDo = new CompletableFuture<>();

    CompletableFuture<Void> lead(Runnable task) {
      CompletableFuture<Void> done = new CompletableFuture<>();
      toDo.complete(
          () -> {
            task.run();
            done.complete(null);
          });
      return done;
    }

    @Override
    public void start(Lease lease) {
      toDo.join().run();
    }

    @Override
    public void stop(StopReason reason) {}
  }

  static ConfigurableApplicationContext run() {
    return new SpringApplicationBuilder(ExitingLeader.class).web(WebApplicationType.NONE).run();
  }

  public static void main(String[] args) throws InterruptedException {
    run().getBean(Purchase.class).lead(() -> System.exit(EXIT)).join();
  }
}
