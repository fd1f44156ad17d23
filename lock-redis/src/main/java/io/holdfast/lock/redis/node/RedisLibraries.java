/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.spi.ClientLibrary;
import java.util.List;

/** The libraries that are needed. They are named as text, so that nothing here links them. */
public final class RedisLibraries {

  private RedisLibraries() {}

  /**
   * The same for one server and for several.
   *
   * @return Lettuce, and Netty
   */
  public static List<ClientLibrary> all() {
    return List.of(
        new ClientLibrary("io.lettuce:lettuce-core", "io.lettuce.core.RedisClient", "6.5.1"),
        new ClientLibrary("io.netty:netty-common", "io.netty.util.Version", "4.1.113"));
  }
}
