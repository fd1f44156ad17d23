/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.testsupport.PageExamples;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Code on pages that is too short to run compiles against the modules, and none is left out. */
class SnippetsTest {

  private static final String PROGRAM =
      """
      import io.holdfast.lock.*;
      import io.holdfast.lock.config.*;
      import io.holdfast.lock.guard.*;
      import io.holdfast.lock.limit.*;
      import io.holdfast.lock.memory.*;
      import io.holdfast.lock.redis.*;
      import io.holdfast.lock.worker.*;
      import io.lettuce.core.RedisClient;
      import io.lettuce.core.RedisURI;
      import io.lettuce.core.cluster.RedisClusterClient;
      import java.sql.*;
      import java.time.Duration;
      import java.util.*;
      import java.util.concurrent.CompletableFuture;
      import java.util.concurrent.locks.Lock;

      abstract class %s {
        static class TooManyRequestsException extends RuntimeException {}
        interface Scheduler {
          void start(long token);
          void stopAndWait();
        }
        LockClient locks;
        LockClient client;
        Scheduler scheduler;
        Connection connection;
        Statement statement;
        RedisClient redisClient;
        RedisURI redisUri;
        RedisClusterClient redisClusterClient;
        abstract void book(long token);
        abstract void fill();
        void snippet(%s) throws Exception {
      %s
        }
      }
      """;

  private static final List<Snippet> SNIPPETS =
      List.of(
          new Snippet("Forms", PageExamples.README, "Other ways to acquire", ""),
          new Snippet("Fence", PageExamples.README, "## Fencing", "Lease lease"),
          new Snippet("Memory", PageExamples.README, "## Testing", ""),
          new Snippet("Testing", PageExamples.page("testing.md"), "", ""),
          new Snippet("Several", PageExamples.page("several-locks.md"), "", ""),
          new Snippet("Shared", PageExamples.page("shared-and-counted.md"), "", ""),
          new Snippet("Limits", PageExamples.page("rate-limits.md"), "", ""),
          new Snippet("Scale", PageExamples.page("scale.md"), "", "String name"),
          new Snippet("Choosing", PageExamples.page("choosing.md"), "", ""),
          new Snippet("Reports", PageExamples.page("worker.md"), "", ""),
          new Snippet(
              "Inspect", PageExamples.page("command-line.md"), "A program can do the same", ""),
          new Snippet("Lettuce", PageExamples.page("backends/redis.md"), "## A Lettuce client", ""),
          new Snippet("Row", PageExamples.page("backends/postgres.md"), "## Write in", ""));

  @TempDir private Path dir;

  /** The first block after a text. */
  private record Snippet(String name, Path page, String after, String parameters) {

    String code() throws IOException {
      return PageExamples.block(page, after, "java");
    }
  }

  @Test
  void theyCompile() throws IOException {
    Map<String, String> code = new LinkedHashMap<>();
    for (Snippet snippet : SNIPPETS) {
      code.put(snippet.name, PROGRAM.formatted(snippet.name, snippet.parameters, snippet.code()));
    }
    PageExamples.compile(dir, code, System.getProperty("java.class.path"));
  }

  @Test
  void everyBlockOfJavaIsCompiledHereOrElsewhere() throws IOException {
    Set<String> compiled = new HashSet<>(CompiledElsewhere.blocks());
    for (Snippet snippet : SNIPPETS) {
      compiled.add(snippet.code());
    }
    List<String> left = new ArrayList<>();
    for (Path page : PageExamples.pages()) {
      List<String> blocks = PageExamples.blocks(page, "java");
      assertEquals(PageExamples.fences(page, "java"), blocks.size(), () -> "fences of " + page);
      blocks.stream()
          .filter(block -> !compiled.contains(block))
          .forEach(block -> left.add(page + ":\n" + block));
    }
    assertEquals(List.of(), left, "add it to SNIPPETS, or its test to CompiledElsewhere");
  }
}
