/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import static java.util.stream.Collectors.toSet;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.text.Spelling;
import java.net.URL;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks providers up by name, and explains itself when it cannot. */
public final class Providers {

  private static final Logger LOG = LoggerFactory.getLogger(Providers.class);

  /** Those whose modules may be missing, so that nobody is sent for one that there is not. */
  private static final Set<String> OURS =
      Set.of(
          "memory",
          "redis",
          "redlock",
          "zookeeper",
          "etcd",
          "postgres-advisory",
          "postgres-table",
          "postgres-row");

  private Providers() {}

  /**
   * The one of that name.
   *
   * @param name such as {@code redis}
   * @return the provider
   * @throws LockConfigurationException if there is none, or two
   */
  public static LockProvider find(String name) {
    Set<String> broken = new LinkedHashSet<>();
    List<LockProvider> all = load(broken);
    List<LockProvider> matching = all.stream().filter(p -> p.name().equals(name)).toList();
    if (matching.isEmpty()) {
      Set<String> known = new TreeSet<>(OURS);
      known.addAll(names(all));
      List<String> several = known.stream().filter(each -> each.startsWith(name + "-")).toList();
      if (!several.isEmpty()) {
        throw new LockConfigurationException(
            "No lock provider '%s': there are %s, which differ in what they promise. On the class path are %s. Name one of them"
                .formatted(name, several, names(all)));
      }
      throw new LockConfigurationException(
          "No lock provider '%s'%s On the class path are %s%s. Add the module that brings it, such as lock-%s"
              .formatted(
                  name,
                  Spelling.hint(name, known),
                  names(all),
                  broken.isEmpty() ? "" : ", and these could not be loaded: " + broken,
                  moduleOf(Spelling.nearest(name, known).orElse(name))));
    }
    return only(name, matching);
  }

  private static LockProvider only(String name, List<LockProvider> matching) {
    if (matching.size() > 1) {
      throw new LockConfigurationException(
          "Two lock providers are called '%s': %s. Remove one of them"
              .formatted(name, matching.stream().map(Providers::origin).toList()));
    }
    return matching.get(0);
  }

  /**
   * All that can be found from here, in one look.
   *
   * @return sorted by their names
   * @throws LockConfigurationException if two have one name
   */
  public static List<LockProvider> all() {
    List<LockProvider> all = load(new LinkedHashSet<>());
    return names(all).stream()
        .map(name -> only(name, all.stream().filter(p -> p.name().equals(name)).toList()))
        .toList();
  }

  /**
   * The names of all that can be found from here.
   *
   * @return sorted
   */
  public static List<String> names() {
    return names(load(new LinkedHashSet<>()));
  }

  private static List<String> names(List<LockProvider> providers) {
    return List.copyOf(new TreeSet<>(providers.stream().map(LockProvider::name).toList()));
  }

  /**
   * The providers of the thread's context class loader, and further ones of the library's own:
   * threads of the common pool have a context class loader that sees nothing of a Spring Boot jar.
   * A class that both see under one name is taken from the first, which may have a copy of its own.
   */
  private static List<LockProvider> load(Set<String> broken) {
    ClassLoader context = orSystem(Thread.currentThread().getContextClassLoader());
    ClassLoader own = orSystem(Providers.class.getClassLoader());
    List<LockProvider> found = new ArrayList<>(load(context, Set.of(), broken));
    if (!own.equals(context)) {
      Set<String> known = found.stream().map(each -> each.getClass().getName()).collect(toSet());
      found.addAll(load(own, known, broken));
    }
    return found;
  }

  private static ClassLoader orSystem(@Nullable ClassLoader loader) {
    return loader == null ? ClassLoader.getSystemClassLoader() : loader;
  }

  /** Those that are not known yet. One broken provider hides no other. */
  private static List<LockProvider> load(
      ClassLoader loader, Set<String> known, Set<String> broken) {
    List<LockProvider> found = new ArrayList<>();
    var services = ServiceLoader.load(LockProvider.class, loader).stream().iterator();
    while (true) {
      try {
        if (!services.hasNext()) {
          return found;
        }
        ServiceLoader.Provider<LockProvider> service = services.next();
        if (!known.contains(service.type().getName())) {
          found.add(service.get());
        }
      } catch (ServiceConfigurationError | LinkageError e) {
        if (broken.add(e.toString())) {
          LOG.warn("A lock provider could not be loaded: {}", e.toString());
        }
      }
    }
  }

  /** Modules are named by the server, and their providers by what they do with it. */
  private static String moduleOf(String provider) {
    int hyphen = provider.indexOf('-');
    return hyphen < 0 ? provider : provider.substring(0, hyphen);
  }

  private static String origin(LockProvider provider) {
    CodeSource source = provider.getClass().getProtectionDomain().getCodeSource();
    @Nullable URL location = source == null ? null : source.getLocation();
    return provider.getClass().getName() + " in " + (location == null ? "?" : location);
  }
}
