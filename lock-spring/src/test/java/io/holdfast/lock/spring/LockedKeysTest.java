/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.memory.MemoryServer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.stereotype.Component;
import org.springframework.util.ObjectUtils;

/** How a key and an annotation give a call the name of its lock; a bad key fails the call. */
class LockedKeysTest {

  private static final LockClient CLIENT = new MemoryServer().open();

  @AfterAll
  static void close() {
    CLIENT.close();
  }

  static class AnyKey {
    @Locked(name = "n", key = "#id")
    public void work(@Nullable Object id) {}
  }

  private static AnnotationConfigApplicationContext started(Class<?>... beans) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.register(LockedConfiguration.class);
    context.register(beans);
    context.registerBean(LockSource.class, () -> new ClientLockSource(CLIENT));
    context.refresh();
    return context;
  }

  private static String refusal(AnyKey bean, @Nullable Object id) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> bean.work(id)).getMessage());
  }

  @Test
  void aKeyThatNamesNothingIsRefusedAtTheCall() {
    try (AnnotationConfigApplicationContext context = started(AnyKey.class)) {
      AnyKey bean = context.getBean(AnyKey.class);
      String empty = refusal(bean, "");
      assertTrue(empty.contains("is empty; it must name what to lock"), empty);
      String missing = refusal(bean, null);
      assertTrue(missing.contains("is null; it must name what to lock"), missing);
      bean.work("7");
    }
  }

  /** Knows a part of the name that the arguments do not have. */
  @Component("tenant")
  public static class Tenant {
    public String id() {
      return "acme";
    }
  }

  static class KeyOfABean {
    @Locked(name = "n", key = "@tenant.id() + '/' + #id")
    public String work(String id, @Nullable Lease lease) {
      return lease == null ? "" : lease.lockName();
    }
  }

  @Test
  void aKeyMayAskABean() {
    try (AnnotationConfigApplicationContext context = started(KeyOfABean.class, Tenant.class)) {
      assertEquals("n:acme/7", context.getBean(KeyOfABean.class).work("7", null));
    }
  }

  /** Spring's proxy is of the interface then, which has no annotation. */
  interface Desk {
    String work(@Nullable Lease lease);
  }

  static class LockedDesk implements Desk {
    @Override
    @Locked(name = "desk")
    public String work(@Nullable Lease lease) {
      return lease == null ? "" : lease.lockName();
    }
  }

  @Test
  void aMethodIsLockedBehindAnInterfaceToo() {
    try (AnnotationConfigApplicationContext context = started(LockedDesk.class)) {
      Desk desk = context.getBean(Desk.class);
      assertTrue(AopUtils.isJdkDynamicProxy(desk));
      assertEquals("desk", desk.work(null));
    }
  }

  /** Equal ones have equal hashes. */
  static class Hashed {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Hashed;
    }

    @Override
    public int hashCode() {
      return 7;
    }
  }

  /** Names itself by its identity. */
  static final class Identified extends Hashed {
    @Override
    public String toString() {
      return ObjectUtils.identityToString(this);
    }
  }

  /** One with a text of its own. */
  record OrderId(long value) {}

  @Test
  void aKeyWhoseTextIsAHashIsRefusedAtTheCall() {
    try (AnnotationConfigApplicationContext context = started(AnyKey.class)) {
      AnyKey bean = context.getBean(AnyKey.class);
      for (Object id : List.of(new long[] {7}, new Object(), new Hashed(), new Identified())) {
        String told = refusal(bean, id);
        assertTrue(
            told.contains("which has no toString() of its own")
                && told.contains(id.getClass().getTypeName()),
            told);
      }
      for (Object id : List.of("7", "[J@7", 7L, new OrderId(7), List.of(7))) {
        bean.work(id);
      }
    }
  }
}
