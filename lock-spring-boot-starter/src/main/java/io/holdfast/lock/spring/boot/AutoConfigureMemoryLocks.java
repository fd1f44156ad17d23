/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.memory.MemoryServer;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * On a test of Spring Boot, also on a slice such as {@code @WebMvcTest}: all locks are in a {@link
 * MemoryServer}, which is a bean, whatever the application's properties say. The test can take
 * locks away, let them be busy, and make the server slow. Needs {@code lock-memory} with scope
 * test. A slice without this annotation has no locks: {@code @Locked} methods run without.
 *
 * <p>Scenarios keep their terms. What their presets demand of a backend is not asked for.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Import(AutoConfigureMemoryLocks.MemoryLocks.class)
@ImportAutoConfiguration({HoldfastAutoConfiguration.class, LockProblemsAutoConfiguration.class})
public @interface AutoConfigureMemoryLocks {

  /** The server that goes before everything else. */
  @Configuration(proxyBeanMethods = false)
  class MemoryLocks {

    /** Made by Spring. */
    public MemoryLocks() {}

    @Bean
    MemoryServer memoryLockServer() {
      return new MemoryServer();
    }
  }
}
