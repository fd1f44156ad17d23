/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.ChildJvm;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Keys are sent in UTF-8, so that is what their slots are computed from. */
class ClusterCharsetTest {

  private static final Duration START = Duration.ofSeconds(60);

  /** Takes and frees a lock whose name has a letter that is not in US-ASCII. */
  static final class Taker {

    private Taker() {}

    /**
     * Tells the outcome of the release.
     *
     * @param args the uri of the cluster
     */
    public static void main(String[] args) throws InterruptedException {
      Map<String, String> settings =
          Map.of(
              "provider", "redis",
              "uri", args[0],
              "connect-timeout", "30s",
              "command-timeout", "10s");
      try (LockClient client = Locks.open(settings)) {
        System.out.println(
            client.lock("\u00e9", RedisHarness.LONG).acquire(RedisHarness.PATIENCE).release());
      }
    }
  }

  @Test
  void theCharsetOfTheJvmMakesNoDifference() {
    try (ClusterHarness scene = new ClusterHarness();
        ChildJvm child =
            ChildJvm.start(
                List.of("-Dfile.encoding=US-ASCII"),
                Taker.class,
                Objects.requireNonNull(scene.settings().get("uri")))) {
      child.awaitLine("RELEASED"::equals, START);
    }
  }
}
