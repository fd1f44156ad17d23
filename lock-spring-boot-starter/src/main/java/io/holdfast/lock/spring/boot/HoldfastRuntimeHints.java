/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.Locks;
import io.holdfast.lock.spi.ClientLibrary;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * What a native image has to keep: the providers, their scripts and statements, the classes by
 * which the versions of client libraries are looked up, and what a factory of connections to Redis
 * connects by.
 */
final class HoldfastRuntimeHints implements RuntimeHintsRegistrar {

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
    hints
        .resources()
        .registerPattern("META-INF/services/io.holdfast.lock.spi.LockProvider")
        .registerPattern("io/holdfast/lock/**/*.lua")
        .registerPattern("io/holdfast/lock/**/*.sql");
    hints
        .reflection()
        .registerTypeIfPresent(
            classLoader,
            "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
            hint -> hint.withField(RedisConnection.CONFIGURATION));
    for (String name : Locks.providers()) {
      var provider = Locks.provider(name);
      hints
          .reflection()
          .registerType(provider.getClass(), MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
      for (ClientLibrary library : provider.libraries()) {
        hints
            .reflection()
            .registerTypeIfPresent(classLoader, library.className(), hint -> hint.withMembers());
      }
    }
  }
}
