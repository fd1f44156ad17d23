/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Locks;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.MemberHint;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeHint;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A native image keeps what is looked up by its name. */
class HoldfastRuntimeHintsTest {

  private final RuntimeHints hints = new RuntimeHints();

  HoldfastRuntimeHintsTest() {
    new HoldfastRuntimeHints().registerHints(hints, getClass().getClassLoader());
  }

  @Test
  void keepsScriptsStatementsAndServices() {
    for (String resource :
        List.of(
            "io/holdfast/lock/redis/node/acquire.lua",
            "io/holdfast/lock/redis/limit.lua",
            "io/holdfast/lock/redlock/raise.lua",
            "io/holdfast/lock/postgres/holdfast.sql",
            "io/holdfast/lock/guard/holdfast_fence.sql",
            "META-INF/services/io.holdfast.lock.spi.LockProvider")) {
      assertTrue(RuntimeHintsPredicates.resource().forResource(resource).test(hints), resource);
      assertTrue(getClass().getClassLoader().getResource(resource) != null, resource);
    }
    assertFalse(RuntimeHintsPredicates.resource().forResource("application.yml").test(hints));
  }

  @Test
  void keepsProvidersAndWhatTheirLibrariesAreKnownBy() {
    assertTrue(Locks.providers().contains("postgres-row"));
    for (String name : Locks.providers()) {
      assertTrue(
          RuntimeHintsPredicates.reflection().onType(Locks.provider(name).getClass()).test(hints),
          name);
    }
    assertTrue(
        RuntimeHintsPredicates.reflection().onType(io.lettuce.core.RedisClient.class).test(hints));
  }

  @Test
  void keepsWhatAFactoryOfConnectionsConnectsBy() throws Exception {
    String read = LettuceConnectionFactory.class.getDeclaredField("configuration").getName();
    TypeHint kept = hints.reflection().getTypeHint(LettuceConnectionFactory.class);
    assertNotNull(kept);
    assertEquals(List.of(read), kept.fields().map(MemberHint::getName).toList());
  }
}
