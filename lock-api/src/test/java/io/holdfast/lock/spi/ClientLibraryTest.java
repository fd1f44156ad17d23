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
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
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
