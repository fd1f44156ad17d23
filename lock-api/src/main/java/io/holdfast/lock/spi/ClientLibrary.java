/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import io.holdfast.lock.LockConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.security.CodeSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A library that a backend needs, and the oldest version of it that works. Which version is there
 * is the application's choice, so it is looked up where the backend runs.
 *
 * @param coordinates group and artifact, such as {@code io.lettuce:lettuce-core}
 * @param className the binary name of a class of the library
 * @param oldest the oldest version that works, such as {@code 6.5.0}
 * @param remark what else helps those who have an older one; often empty
 */
public record ClientLibrary(String coordinates, String className, String oldest, String remark) {

  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
  private static final Pattern LEADING = Pattern.compile("\\d+(\\.\\d+)*");

  /** Checks that nothing is missing. */
  public ClientLibrary {
    if (!coordinates.matches("[^:]+:[^:]+")) {
      throw new IllegalArgumentException("not group:artifact: " + coordinates);
    }
    Objects.requireNonNull(className, "className");
    Objects.requireNonNull(oldest, "oldest");
    Objects.requireNonNull(remark, "remark");
  }

  /**
   * A library without a remark.
   *
   * @param coordinates group and artifact, such as {@code io.lettuce:lettuce-core}
   * @param className the binary name of a class of the library
   * @param oldest the oldest version that works, such as {@code 6.5.0}
   */
  public ClientLibrary(String coordinates, String className, String oldest) {
    this(coordinates, className, oldest, "");
  }

  /**
   * Opens something of a provider, with the libraries that are there.
   *
   * @param provider whose {@link LockProvider#libraries()} are checked first
   * @param opening what may need them
   * @param <T> of what is opened
   * @return what {@code opening} returns
   * @throws LockConfigurationException if a library is too old, missing, or does not go with the
   *     others; it names the versions found and the oldest ones that work
   */
  public static <T> T opening(LockProvider provider, Supplier<T> opening) {
    ClassLoader loader = provider.getClass().getClassLoader();
    List<ClientLibrary> tooOld =
        provider.libraries().stream().filter(library -> library.isTooOld(loader)).toList();
    if (!tooOld.isEmpty()) {
      throw new LockConfigurationException(
          "Lock provider '%s' needs a newer version of a library: %s"
              .formatted(provider.name(), describe(tooOld, loader)));
    }
    try {
      return opening.get();
    } catch (LinkageError e) {
      throw new LockConfigurationException(
          "Lock provider '%s' cannot run with the libraries that it found (%s): %s. Add what is missing, and use versions that fit together"
              .formatted(provider.name(), describe(provider.libraries(), loader), e),
          e);
    }
  }

  /**
   * Which version is there.
   *
   * @param loader whose classes are looked at
   * @return empty if the library is missing, or does not say
   */
  public Optional<String> version(ClassLoader loader) {
    return find(loader).flatMap(this::versionOf);
  }

  private boolean isTooOld(ClassLoader loader) {
    return version(loader).filter(found -> compare(found, oldest) < 0).isPresent();
  }

  /**
   * Whether a version is there that is not older than another. For a library whose version decides
   * what others are needed.
   *
   * @param version such as {@code 7.0}
   * @param loader whose classes are looked at
   * @return no if the library is missing, or does not say
   */
  public boolean isAtLeast(String version, ClassLoader loader) {
    return version(loader).filter(found -> compare(found, version) >= 0).isPresent();
  }

  private static String describe(List<ClientLibrary> libraries, ClassLoader loader) {
    return libraries.stream()
        .map(library -> library.describe(loader))
        .collect(Collectors.joining("; "));
  }

  private String describe(ClassLoader loader) {
    String found =
        find(loader).isEmpty()
            ? "missing"
            : version(loader).map(version -> "found " + version).orElse("of unknown version");
    String needed = "%s: %s, needed %s or newer".formatted(coordinates, found, oldest);
    return remark.isEmpty() ? needed : needed + " (" + remark + ")";
  }

  private Optional<Class<?>> find(ClassLoader loader) {
    try {
      return Optional.of(Class.forName(className, false, loader));
    } catch (ClassNotFoundException | LinkageError e) {
      return Optional.empty();
    }
  }

  /** Not every jar has each of these; Gradle writes no properties, and modules no manifest. */
  private Optional<String> versionOf(Class<?> type) {
    return ofFileName(type)
        .or(() -> ofProperties(type))
        .or(() -> Optional.ofNullable(type.getPackage().getImplementationVersion()))
        .or(
            () ->
                Optional.ofNullable(type.getModule().getDescriptor())
                    .flatMap(ModuleDescriptor::rawVersion));
  }

  /**
   * Such as {@code .../lettuce-core-7.0.0.RELEASE.jar}, also inside another jar. One whose name
   * only ends like it, such as {@code app-lettuce-core-1.0.jar}, has a version of its own.
   */
  private Optional<String> ofFileName(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return Optional.empty();
    }
    Matcher jar =
        Pattern.compile("(?<=[/!])" + Pattern.quote(artifact()) + "-(\\d[^/!]*)\\.jar")
            .matcher(source.getLocation().toString());
    return jar.find() ? Optional.of(jar.group(1)) : Optional.empty();
  }

  /** As Maven writes them, which jars that contain many others keep. */
  private Optional<String> ofProperties(Class<?> type) {
    String place = "/META-INF/maven/%s/pom.properties".formatted(coordinates.replace(':', '/'));
    try (InputStream in = type.getResourceAsStream(place)) {
      if (in == null) {
        return Optional.empty();
      }
      Properties properties = new Properties();
      properties.load(in);
      return Optional.ofNullable(properties.getProperty("version"));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private String artifact() {
    return coordinates.substring(coordinates.indexOf(':') + 1);
  }

  /** By the numbers that they begin with. */
  static int compare(String one, String other) {
    int[] left = numbers(one);
    int[] right = numbers(other);
    for (int i = 0; i < Math.max(left.length, right.length); i++) {
      int order = Integer.compare(i < left.length ? left[i] : 0, i < right.length ? right[i] : 0);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static int[] numbers(String version) {
    Matcher leading = LEADING.matcher(version);
    return leading.lookingAt()
        ? NUMBER
            .matcher(leading.group())
            .results()
            .mapToInt(n -> Integer.parseInt(n.group()))
            .toArray()
        : new int[0];
  }
}
