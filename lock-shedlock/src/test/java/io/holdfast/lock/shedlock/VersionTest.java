/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.shedlock;

import static org.junit.jupiter.api.Assertions.assertTrue;

import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;

/** The tests run with the version that the build means. */
class VersionTest {

  @Test
  void runsWithTheVersionThatIsMeant() {
    String jar = LockProvider.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    String version = System.getProperty("shedlock.version");
    assertTrue(jar.endsWith("-" + version + ".jar"), () -> jar + " is not " + version);
  }
}
