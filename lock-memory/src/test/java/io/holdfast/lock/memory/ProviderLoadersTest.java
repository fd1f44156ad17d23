/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.config.LockConfig;
import io.holdfast.lock.spi.LockProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Providers, on threads whose context class loader is not that of the library. */
class ProviderLoadersTest {

  private static final ClassLoader SEES_NOTHING = ClassLoader.getPlatformClassLoader();

  @TempDir private Path directory;

  @Test
  void aThreadWhoseContextClassLoaderSeesNoProviderFindsThoseOfTheLibrary() {
    assertEquals(List.of("memory"), in(SEES_NOTHING, Locks::providers));
    assertEquals("memory", in(SEES_NOTHING, () -> Locks.provider("memory")).name());
  }

  @Test
  void aThreadWithoutAContextClassLoaderFindsThem() {
    assertEquals(List.of("memory"), in(null, Locks::providers));
  }

  @Test
  void aProviderThatBothClassLoadersSeeIsOne() throws IOException {
    try (URLClassLoader child = new URLClassLoader(new URL[0], getClass().getClassLoader())) {
      LockProvider found = in(child, () -> Locks.provider("memory"));
      assertSame(MemoryLockProvider.class, found.getClass());
    }
  }

  @Test
  void aCopyOfAProviderInTheContextClassLoaderIsTaken() throws IOException {
    try (URLClassLoader copy = new Copy(getClass().getClassLoader())) {
      LockProvider found = in(copy, () -> Locks.provider("memory"));
      assertSame(copy, found.getClass().getClassLoader());
    }
  }

  @Test
  void aBrokenProviderOfTheContextHidesNoneOfTheLibrary() throws IOException {
    Path services = directory.resolve("META-INF/services");
    Files.createDirectories(services);
    Files.writeString(services.resolve(LockProvider.class.getName()), "not a name of a class");
    URL[] urls = {directory.toUri().toURL()};
    try (URLClassLoader unrelated = new URLClassLoader(urls, SEES_NOTHING)) {
      assertEquals(List.of("memory"), in(unrelated, Locks::providers));
      String message =
          String.valueOf(
              assertThrows(
                      LockConfigurationException.class,
                      () -> in(unrelated, () -> Locks.provider("no-such")))
                  .getMessage());
      assertTrue(message.contains("could not be loaded"), message);
    }
  }

  /** A look reads a file of each jar and makes each provider; applications wait for it to start. */
  @Test
  void theProviderOfAnAddressTakesOneLook() {
    Counting context = new Counting(getClass().getClassLoader());
    LockConfig config =
        LockConfig.of(Map.of("backend.main.url", "memory:", "scenario.own.preset", "none"));
    assertEquals("memory", in(context, () -> config.scenario("own")).provider());
    assertEquals(1, context.looks);
  }

  private static <T> T in(@Nullable ClassLoader context, Supplier<T> work) {
    Thread thread = Thread.currentThread();
    ClassLoader usual = thread.getContextClassLoader();
    thread.setContextClassLoader(context);
    try {
      return work.get();
    } finally {
      thread.setContextClassLoader(usual);
    }
  }

  /** Counts how often providers are looked for. */
  private static final class Counting extends ClassLoader {

    private int looks;

    Counting(ClassLoader parent) {
      super(parent);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      if (name.equals("META-INF/services/" + LockProvider.class.getName())) {
        looks++;
      }
      return super.getResources(name);
    }
  }

  /** Has classes of its own for the memory backend, as a web application may have. */
  private static final class Copy extends URLClassLoader {

    Copy(ClassLoader parent) {
      super(new URL[] {location()}, parent);
    }

    private static URL location() {
      return MemoryLockProvider.class.getProtectionDomain().getCodeSource().getLocation();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(MemoryLockProvider.class.getPackageName() + ".")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : findClass(name);
      }
    }
  }
}
