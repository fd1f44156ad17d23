/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LockConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientLibraryTest {

  private static final ClientLibrary MISSING = new ClientLibrary("a:missing", "a.Missing", "1.0");

  @ParameterizedTest
  @CsvSource({
    "6.4.2.RELEASE, 6.5.0, -1",
    "6.5.0.RELEASE, 6.5.0, 0",
    "7.0.0.RELEASE, 6.5.0, 1",
    "6.10, 6.9.9, 1",
    "4.2.0.Final, 4.2, 0",
    "33.6.0-jre, 33.6.1, -1",
    "42.2.5.jre7, 42.2.29, -1"
  })
  void versionsAreComparedByTheirNumbers(String one, String other, int expected) {
    assertEquals(expected, ClientLibrary.compare(one, other));
    assertEquals(-expected, ClientLibrary.compare(other, one));
  }

  @Test
  void theVersionOfAJarIsFound() {
    Optional<String> version = slf4j("1.0").version(getClass().getClassLoader());
    assertTrue(version.orElseThrow().startsWith("2."), version::toString);
    assertEquals(Optional.empty(), MISSING.version(getClass().getClassLoader()));
  }

  /** As an application that is one jar with the classes of all its libraries. */
  @Test
  void ofALibraryInAnotherJarTheVersionIsInItsProperties(@TempDir Path dir) throws Exception {
    Path jar = jar(dir.resolve("bundled-app-1.0.jar"), "9.9", "3.1.4");
    assertEquals(Optional.of("3.1.4"), version(jar));
    assertEquals(Optional.of("3.1.4"), version(jar(dir.resolve("app.jar"), "9.9", "3.1.4")));
  }

  @Test
  void theNameOfItsOwnJarGoesBeforeWhatIsInIt(@TempDir Path dir) throws Exception {
    assertEquals(
        Optional.of("2.0.0.RELEASE"),
        version(jar(dir.resolve("bundled-2.0.0.RELEASE.jar"), "9.9", "3.1.4")));
  }

  /** A shaded jar of version 1.0 would be refused as a library that is too old. */
  @Test
  void theNameOfAJarThatOnlyEndsLikeItIsNotTaken(@TempDir Path dir) throws Exception {
    assertEquals(
        Optional.of("3.1.4"), version(jar(dir.resolve("our-bundled-1.0.jar"), "9.9", "3.1.4")));
    Path directory = Files.createDirectory(dir.resolve("bundled-1.0"));
    assertEquals(Optional.of("3.1.4"), version(jar(directory.resolve("a.jar"), "9.9", "3.1.4")));
  }

  @Test
  void withoutPropertiesTheManifestCounts(@TempDir Path dir) throws Exception {
    assertEquals(Optional.of("9.9"), version(jar(dir.resolve("app.jar"), "9.9", null)));
    assertEquals(Optional.empty(), version(jar(dir.resolve("bare.jar"), null, null)));
  }

  /** A class of a library in a jar that somebody else has made. */
  private static final class Bundled {}

  private static Optional<String> version(Path jar) throws IOException {
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
      return new ClientLibrary("org.sample:bundled", Bundled.class.getName(), "2.0")
          .version(loader);
    }
  }

  private static Path jar(Path file, @Nullable String manifest, @Nullable String properties)
      throws IOException {
    Manifest main = new Manifest();
    main.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (manifest != null) {
      main.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, manifest);
    }
    String name = Bundled.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file), main);
        InputStream code =
            Objects.requireNonNull(
                ClientLibraryTest.class.getClassLoader().getResourceAsStream(name))) {
      out.putNextEntry(new ZipEntry(name));
      code.transferTo(out);
      if (properties != null) {
        out.putNextEntry(new ZipEntry("META-INF/maven/org.sample/bundled/pom.properties"));
        out.write(("version=" + properties).getBytes(StandardCharsets.UTF_8));
      }
    }
    return file;
  }

  @Test
  void aLibraryThatIsTooOldIsRefusedBeforeItIsUsed() {
    ClientLibrary newer = slf4j("99.1");
    LockConfigurationException refused =
        assertThrows(
            LockConfigurationException.class,
            () ->
                ClientLibrary.opening(
                    new Provider(newer, MISSING),
                    () -> {
                      throw new AssertionError("opened");
                    }));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("'of-libraries'"), message);
    assertTrue(message.contains("org.slf4j:slf4j-api: found 2."), message);
    assertTrue(message.contains("needed 99.1 or newer"), message);
  }

  @Test
  void anErrorInLinkingNamesWhatWasFound() {
    NoSuchMethodError error = new NoSuchMethodError("on purpose");
    LockConfigurationException refused =
        assertThrows(
            LockConfigurationException.class,
            () ->
                ClientLibrary.opening(
                    new Provider(slf4j("1.7"), MISSING),
                    () -> {
                      throw error;
                    }));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("org.slf4j:slf4j-api: found 2."), message);
    assertTrue(message.contains("a:missing: missing, needed 1.0 or newer"), message);
    assertTrue(message.contains("on purpose"), message);
    assertSame(error, refused.getCause());
  }

  @Test
  void nothingIsRefusedForAVersionThatIsNotKnown() {
    ClientLibrary unknown = new ClientLibrary("a:b", ClientLibraryTest.class.getName(), "1.0");
    assertEquals("opened", ClientLibrary.opening(new Provider(unknown), () -> "opened"));
  }

  @Test
  void theRemarkFollowsTheVersionThatIsNeeded() {
    ClientLibrary newer =
        new ClientLibrary(
            "org.slf4j:slf4j-api", "org.slf4j.LoggerFactory", "99.1", "or something else");
    LockConfigurationException refused =
        assertThrows(
            LockConfigurationException.class,
            () -> ClientLibrary.opening(new Provider(newer), () -> "opened"));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("needed 99.1 or newer (or something else)"), message);
  }

  @Test
  void aLibraryMayDependOnTheVersionOfAnother() {
    ClassLoader loader = getClass().getClassLoader();
    assertTrue(slf4j("1.0").isAtLeast("2.0", loader));
    assertFalse(slf4j("1.0").isAtLeast("99.1", loader));
    assertFalse(MISSING.isAtLeast("0.1", loader));
  }

  private static ClientLibrary slf4j(String oldest) {
    return new ClientLibrary("org.slf4j:slf4j-api", "org.slf4j.LoggerFactory", oldest);
  }

  private static final class Provider implements LockProvider {

    private final List<ClientLibrary> libraries;

    Provider(ClientLibrary... libraries) {
      this.libraries = List.of(libraries);
    }

    @Override
    public String name() {
      return "of-libraries";
    }

    @Override
    public Capabilities capabilities() {
      throw new AssertionError("not asked");
    }

    @Override
    public List<ClientLibrary> libraries() {
      return libraries;
    }

    @Override
    public LockBackend<?> open(Settings settings) {
      throw new AssertionError("not asked");
    }
  }
}
