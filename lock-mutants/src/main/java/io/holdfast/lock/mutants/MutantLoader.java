/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.mutants;

import io.holdfast.lock.servers.Server;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Loads all classes of this project and of the backend itself: those that were changed from a
 * directory, the others from where its parent finds them. So a mutant shares nothing with the
 * original, but for the servers, which know nothing of locks and are dear to make ready.
 */
final class MutantLoader extends URLClassLoader {

  private static final String OWN = "io.holdfast.";
  private static final String SERVERS = Server.class.getPackageName() + ".";

  static {
    registerAsParallelCapable();
  }

  private final String home;
  private final ClassLoader parent;

  /**
   * Loads nothing yet.
   *
   * @param changed goes before everything else
   * @param home the package of the fixture, and with it of a backend that is not of this project
   * @param parent finds the rest
   */
  MutantLoader(Path changed, String home, ClassLoader parent) {
    super(new URL[] {url(changed)}, parent);
    this.home = home + ".";
    this.parent = parent;
  }

  private static URL url(Path directory) {
    try {
      return directory.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    boolean own = name.startsWith(OWN) || name.startsWith(home);
    if (!own || name.startsWith(SERVERS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      @Nullable Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    @Nullable URL found = getResource(name.replace('.', '/') + ".class");
    if (found == null) {
      throw new ClassNotFoundException(name);
    }
    try (InputStream in = found.openStream()) {
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  @Override
  public @Nullable URL getResource(String name) {
    @Nullable URL changed = findResource(name);
    return changed != null ? changed : parent.getResource(name);
  }
}
