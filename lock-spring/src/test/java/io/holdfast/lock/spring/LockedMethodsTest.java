/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spring.Locked.Busy;
import io.holdfast.lock.spring.Locked.Mode;
import java.util.Map;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** An annotation that cannot work fails the start, with what to do. */
class LockedMethodsTest {

  private static final LockClient CLIENT = new MemoryServer().open();

  @AfterAll
  static void close() {
    CLIENT.close();
  }

  /** Bad ones, each with what is said about it. */
  static Stream<Map.Entry<Class<?>, String>> bad() {
    return Stream.of(
        Map.entry(Nameless.class, "names no lock: set 'name', 'key' or both"),
        Map.entry(BadKey.class, "The key '#id.' of @Locked on"),
        Map.entry(UnknownParameter.class, "there is no parameter 'oderId'; there are [orderId]"),
        Map.entry(BadWait.class, "has maxWait = 'soon', which must be a duration such as 500ms"),
        Map.entry(BadTtl.class, "has ttl = '1ms', which must be a duration"),
        Map.entry(BadMinHold.class, "has minHold = 'x', which must be a duration"),
        Map.entry(TooLongMinHold.class, "cannot be kept: minimum hold must be from 0 s to 365 d"),
        Map.entry(PermitsAndMode.class, "has mode = READ and permits = 1, of = 5, but a name is"),
        Map.entry(OfAlone.class, "has of = 5 without permits: add permits = 1, for example"),
        Map.entry(TooManyPermits.class, "has permits = 6, of = 5: permits must be from 1 to 5"),
        Map.entry(NegativePermits.class, "has permits = -1: permits must be from 1"),
        Map.entry(PermitsOfNothing.class, "cannot be kept: Semaphore 'start-up' was asked for"),
        Map.entry(PermitsOfNothing.class, "; here the number is 'of'"),
        Map.entry(NobodyWaits.class, "returns int, which cannot say that nothing was done"),
        Map.entry(Private.class, "the method is private and Spring's proxy cannot intercept it"),
        Map.entry(Final.class, "the method is final and Spring's proxy cannot intercept it"),
        Map.entry(BadToken.class, "has a @FencingToken of type java.lang.String"),
        Map.entry(PlainFuture.class, "returns a Future that does not say when it is done"),
        Map.entry(OwnFuture.class, "returns a Future that does not say when it is done"));
  }

  static class Nameless {
    @Locked
    public void work() {}
  }

  static class BadKey {
    @Locked(key = "#id.")
    public void work(int id) {}
  }

  static class UnknownParameter {
    @Locked(key = "#oderId")
    public void work(int orderId) {}
  }

  static class BadWait {
    @Locked(name = "n", maxWait = "soon")
    public void work() {}
  }

  static class BadTtl {
    @Locked(name = "n", ttl = "1ms")
    public void work() {}
  }

  static class BadMinHold {
    @Locked(name = "n", minHold = "x")
    public void work() {}
  }

  static class TooLongMinHold {
    @Locked(name = "n", minHold = "366d")
    public void work() {}
  }

  static class PermitsAndMode {
    @Locked(name = "n", mode = Mode.READ, permits = 1, of = 5)
    public void work() {}
  }

  static class OfAlone {
    @Locked(name = "n", of = 5)
    public void work() {}
  }

  static class TooManyPermits {
    @Locked(name = "n", permits = 6, of = 5)
    public void work() {}
  }

  static class NegativePermits {
    @Locked(name = "n", permits = -1)
    public void work() {}
  }

  static class PermitsOfNothing {
    @Locked(name = "n", permits = 2)
    public void work() {}
  }

  static class NobodyWaits {
    @Locked(name = "n", busy = Busy.SKIP)
    public int work() {
      return 1;
    }
  }

  static class Private {
    @Locked(name = "n")
    @SuppressWarnings("UnusedMethod")
    private void work() {}
  }

  static class Final {
    @Locked(name = "n")
    public final void work() {}
  }

  static class BadToken {
    @Locked(name = "n")
    public void work(@FencingToken String token) {}
  }

  static class PlainFuture {
    @Locked(name = "n")
    public Future<String> work() {
      return new java.util.concurrent.FutureTask<>(() -> "");
    }
  }

  static class OwnFuture {
    @Locked(name = "n")
    public ForkJoinTask<String> work() {
      return ForkJoinTask.adapt(() -> "");
    }
  }

  @ParameterizedTest
  @MethodSource("bad")
  void isRefusedAtStartUp(Map.Entry<Class<?>, String> bad) {
    LockConfigurationException refused = refusal(bad.getKey(), new ClientLockSource(CLIENT));
    assertTrue(
        String.valueOf(refused.getMessage()).contains(bad.getValue()), () -> refused.getMessage());
    assertTrue(String.valueOf(refused.getMessage()).contains(bad.getKey().getName() + ".work"));
  }

  private static LockConfigurationException refusal(Class<?> bean, LockSource source) {
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context.register(LockedConfiguration.class, bean);
      context.registerBean(LockSource.class, () -> source);
      RuntimeException thrown = assertThrows(RuntimeException.class, context::refresh);
      Throwable cause = thrown instanceof BeanCreationException ? thrown.getCause() : thrown;
      return assertInstanceOf(LockConfigurationException.class, cause);
    }
  }

  static class UnknownScenario {
    @Locked(name = "n", scenario = "finnacial")
    public void work() {}
  }

  @Test
  void anUnknownScenarioIsRefusedAtStartUp() {
    LockSource source =
        new LockSource() {
          @Override
          public io.holdfast.lock.DistributedLock lock(String scenario, String name) {
            throw new AssertionError("nobody is to connect");
          }

          @Override
          public void check(String scenario) {
            throw new LockConfigurationException("There is no scenario '" + scenario + "'");
          }
        };
    assertEquals(
        "There is no scenario 'finnacial'", refusal(UnknownScenario.class, source).getMessage());
  }

  static class Reader {
    @Locked(name = "n", mode = Mode.READ)
    public void work() {}
  }

  @Test
  void aSourceThatHasLocksOnlyIsRefusedAtStartUp() {
    String told =
        String.valueOf(refusal(Reader.class, (scenario, name) -> CLIENT.lock(name)).getMessage());
    assertTrue(told.contains("has locks only; implement LockSource.readWriteLock"), told);
  }
}
