/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.outside;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One version of each minor version of Lettuce that no other test runs with, on its Netty. */
@Tag("other-jdk")
class LettuceVersionsTest {

  private static final List<String> VERSIONS =
      List.of("6.7.1", "7.0.0", "7.1.0", "7.2.3", "7.3.2", "7.4.2", "7.6.0");

  /** Lettuce 6 is made for Netty 4.1; this one comes with Spring Boot 3.5. */
  private static final String NETTY_41 = "4.1.135.Final";

  @TempDir Path dir;

  @Test
  void locksOfRedisWorkWithEach() throws Exception {
    List<SmokeProject> all = VERSIONS.stream().map(LettuceVersionsTest::project).toList();
    try (SmokeServers servers = SmokeServers.launch(dir);
        SmokeProjects projects = SmokeProjects.of(all, dir.resolve("build"))) {
      List<Path> settings = servers.settings("lock-redis");
      assertTrue(settings.size() == 1, settings::toString);
      for (int i = 0; i < all.size(); i++) {
        String jars = SmokeProjects.joined(projects.jars(all.get(i)));
        assertTrue(jars.contains("lettuce-core-" + VERSIONS.get(i) + ".RELEASE.jar"), jars);
        String netty = isOfNetty41(VERSIONS.get(i)) ? NETTY_41 : "4.2.";
        assertTrue(jars.contains("netty-handler-" + netty), jars);
        projects.assertWorks(all.get(i), SmokeProjects.thisJava(), settings);
      }
    }
  }

  private static boolean isOfNetty41(String version) {
    return version.startsWith("6.");
  }

  private static SmokeProject project(String version) {
    return new SmokeProject(
        "lettuce-" + version,
        isOfNetty41(version) ? List.of("io.netty:netty-bom:" + NETTY_41) : List.of(),
        List.of("io.lettuce:lettuce-core:" + version + ".RELEASE"),
        List.of("lock-redis"));
  }
}
