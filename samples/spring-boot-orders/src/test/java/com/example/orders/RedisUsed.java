/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The application, which also asks Redis once when it starts; for {@link StartUp}. */
public final class RedisUsed {

  private RedisUsed() {}

  /**
   * One question. No component: the application would find it in this package, and every variant
   * would ask.
   */
  static class Question {

    @Bean
    SmartInitializingSingleton question(StringRedisTemplate redis) {
      return () -> redis.hasKey("any");
    }
  }

  public static void main(String[] args) {
    new SpringApplicationBuilder(OrdersApplication.class, Question.class).run(args);
  }
}
