/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostingTest {

  @ParameterizedTest
  @CsvSource({
    "local,  true,  true,  LOCAL",
    "local,  true,  false, LOCAL",
    "docker, true,  true,  DOCKER",
    "docker, false, true,  DOCKER",
    "auto,   true,  true,  LOCAL",
    "auto,   true,  false, LOCAL",
    "auto,   false, true,  DOCKER",
  })
  void chooses(String setting, boolean installed, boolean docker, Hosting chosen) {
    assertEquals(chosen, choose(setting, installed, docker));
  }

  @ParameterizedTest
  @CsvSource({
    "local,  false, true,  apt-get install redis-server",
    "docker, true,  false, no Docker engine answers",
    "auto,   false, false, apt-get install redis-server",
    "auto,   false, false, or start Docker",
  })
  void saysWhatIsMissing(String setting, boolean installed, boolean docker, String hint) {
    IllegalStateException error =
        assertThrows(IllegalStateException.class, () -> choose(setting, installed, docker));
    assertTrue(String.valueOf(error.getMessage()).contains(hint), error.getMessage());
  }

  @Test
  void refusesAnotherSetting() {
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> choose("podman", true, true));
    assertEquals(
        "holdfast.servers must be local, docker or auto, but is podman", error.getMessage());
  }

  @Test
  void readsTheSystemProperty() {
    String before = System.getProperty(Hosting.SETTING);
    System.setProperty(Hosting.SETTING, "nowhere");
    try {
      assertThrows(IllegalArgumentException.class, RedisServer::launch);
    } finally {
      if (before == null) {
        System.clearProperty(Hosting.SETTING);
      } else {
        System.setProperty(Hosting.SETTING, before);
      }
    }
  }

  @Test
  void findsPrograms() {
    assertTrue(Hosting.findProgram("sh").isPresent());
    assertTrue(Hosting.findProgram("no-such-program").isEmpty());
  }

  @Test
  void answersWhetherDockerIsThere() {
    ContainerServer.isAvailable();
  }

  private static Hosting choose(String setting, boolean installed, boolean docker) {
    return Hosting.choose(
        setting,
        "redis-server",
        () -> installed,
        () -> docker,
        "Install it with: apt-get install redis-server");
  }
}
