/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.testsupport.PageExamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Blocks of Java on a page that another test compiles, or finds in code that is compiled. A new
 * block of a page that is here as a whole is looked at by its test.
 *
 * @param test its file
 * @param page in docs, or the README
 * @param after the text before the blocks
 * @param isWhole whether all blocks after the text are meant, or the first one
 */
record CompiledElsewhere(String test, Path page, String after, boolean isWhole) {

  private static final String HERE = "lock-project-tests/src/test/java/io/holdfast/lock/project/";
  private static final String MIGRATION =
      "lock-bench/src/test/java/io/holdfast/lock/bench/migration/MigrationPagesTest.java";

  private static final List<CompiledElsewhere> ALL =
      List.of(
          first(HERE + "ReadmeExampleTest.java", PageExamples.README, "## Quick start"),
          first(HERE + "ReadmeExampleTest.java", PageExamples.page("worker.md"), "## Leaders"),
          scenario("## `financial`"),
          scenario("## `cache`"),
          scenario("## `leader`"),
          scenario("## `batch`"),
          scenario("## `session`"),
          scenario("## `rate-limit`"),
          scenario("## Semaphores and read-write locks"),
          new CompiledElsewhere(
              "lock-worker/src/test/java/io/holdfast/lock/worker/WorkerPageTest.java",
              PageExamples.page("worker.md"),
              "`JobWorker`",
              true),
          whole(HERE + "fencing/FencingPageTest.java", "fencing.md"),
          whole(HERE + "outside/AddingABackendPageTest.java", "adding-a-backend.md"),
          whole(
              "lock-micrometer/src/test/java/io/holdfast/lock/micrometer/MonitoringPageTest.java",
              "monitoring.md"),
          whole(
              "lock-spring-boot-starter/src/test/java/io/holdfast/lock/spring/boot/SpringPageTest.java",
              "spring.md"),
          whole(MIGRATION, "reactor-and-kotlin.md"),
          whole(MIGRATION, "migration/README.md"),
          whole(MIGRATION, "migration/redisson.md"),
          whole(MIGRATION, "migration/shedlock.md"),
          whole(MIGRATION, "migration/spring-integration.md"),
          whole(MIGRATION, "migration/curator.md"),
          whole(MIGRATION, "migration/jetcd.md"),
          whole(MIGRATION, "migration/advisory-locks.md"));

  private static CompiledElsewhere first(String test, Path page, String after) {
    return new CompiledElsewhere(test, page, after, false);
  }

  private static CompiledElsewhere scenario(String heading) {
    return first(
        HERE + "ScenariosPageTest.java", PageExamples.page("scenarios.md"), heading + "\n");
  }

  private static CompiledElsewhere whole(String test, String page) {
    return new CompiledElsewhere(test, PageExamples.page(page), "", true);
  }

  /** Their code, if each test is there and names its page. */
  static List<String> blocks() throws IOException {
    List<String> blocks = new ArrayList<>();
    for (CompiledElsewhere one : ALL) {
      String source = Files.readString(Path.of("..", one.test));
      String page = one.page.getFileName().toString().replace(".md", "");
      assertTrue(source.contains(page), () -> one.test + " does not name " + page);
      List<String> found = PageExamples.blocks(one.page, one.after, "java");
      blocks.addAll(one.isWhole ? found : found.subList(0, 1));
    }
    return blocks;
  }
}
