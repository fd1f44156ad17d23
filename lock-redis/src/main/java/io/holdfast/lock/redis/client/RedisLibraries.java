/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.client;

import io.holdfast.lock.spi.ClientLibrary;
import java.util.List;

/** The libraries that are needed. They are named as text, so that nothing here links them. */
public final class RedisLibraries {

  private static final ClientLibrary LETTUCE =
      new ClientLibrary("io.lettuce:lettuce-core", "io.lettuce.core.RedisClient", "6.5.1");
  private static final String NETTY = "io.netty:netty-common";
  private static final String NETTY_CLASS = "io.netty.util.Version";

  private RedisLibraries() {}

  /**
   * The same for one server and for several.
   *
   * @return Lettuce, and the Netty that this Lettuce needs
   */
  public static List<ClientLibrary> all() {
    return List.of(
        LETTUCE,
        LETTUCE.isAtLeast("7.0", RedisLibraries.class.getClassLoader())
            ? new ClientLibrary(
                NETTY, NETTY_CLASS, "4.2", "for Lettuce 7; or take Lettuce 6.8 with Netty 4.1")
            : new ClientLibrary(NETTY, NETTY_CLASS, "4.1.113"));
  }
}
