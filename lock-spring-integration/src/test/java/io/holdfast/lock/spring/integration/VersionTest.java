/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.integration;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.springframework.integration.support.locks.LockRegistry;

/** The tests run with the version that the build means. */
class VersionTest {

  @Test
  void runsWithTheVersionThatIsMeant() {
    String jar = LockRegistry.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    String version = System.getProperty("spring-integration.version");
    assertTrue(jar.endsWith("-" + version + ".jar"), () -> jar + " is not " + version);
  }
}
