/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.spi.LockProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
