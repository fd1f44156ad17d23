/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Code on pages that is too short to run: it compiles against the modules. */
class SnippetsTest {

  private static final String PROGRAM =
      """
      import io.holdfast.lock.*;
      import io.holdfast.lock.config.*;
      import io.holdfast.lock.guard.*;
      import io.holdfast.lock.limit.*;
      import io.holdfast.lock.memory.*;
      import io.holdfast.lock.redis.*;
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
        LockClient locks;
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

  @TempDir private Path dir;

  private final Map<String, String> code = new LinkedHashMap<>();

  @Test
  void theyCompile() throws IOException {
    add("Forms", PageExamples.README, "Other ways to acquire", "");
    add("Fence", PageExamples.README, "## Fencing", "Lease lease");
    add("Memory", PageExamples.README, "## Testing", "");
    add("Testing", PageExamples.page("testing.md"), "", "");
    add("Several", PageExamples.page("several-locks.md"), "", "");
    add("Shared", PageExamples.page("shared-and-counted.md"), "", "");
    add("Limits", PageExamples.page("rate-limits.md"), "", "");
    add("Choosing", PageExamples.page("choosing.md"), "", "");
    add("Inspect", PageExamples.page("command-line.md"), "A program can do the same", "");
    add("Lettuce", PageExamples.page("backends/redis.md"), "## A Lettuce client", "");
    add("Row", PageExamples.page("backends/postgres.md"), "## Write in", "");
    PageExamples.compile(dir, code, System.getProperty("java.class.path"));
  }

  private void add(String name, Path page, String after, String parameters) throws IOException {
    code.put(name, PROGRAM.formatted(name, parameters, PageExamples.block(page, after, "java")));
  }
}
