/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.Settings.Value;
import io.holdfast.lock.spi.support.SettingsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Tests which source each key is read from, and which source counts. */
class KeysTest {

  private static final String SECRET = "hunter-two";

  @TempDir Path dir;

  @Test
  void aFileIsReadWithItsLines() throws IOException {
    Keys keys =
        merge(
            Sources.file(
                file(
                    """
                    # a comment goes on nowhere \\
                    backend.main.url = redis://\\
                        localhost:6379

                    ! another
                    scenario.jobs.ttl : 7s
                    backend.main.client-name=caf\\u00e9 \u00fc
                    """)));
    Value url = value(keys.backends(), "main", "url");
    assertEquals("redis://localhost:6379", url.text());
    assertTrue(url.origin().endsWith("holdfast.properties, line 2"), url.origin());
    Value ttl = value(keys.scenarios(), "jobs", "ttl");
    assertEquals("7s", ttl.text());
    assertTrue(ttl.origin().endsWith("line 6"), ttl.origin());
    assertEquals("caf\u00e9 \u00fc", value(keys.backends(), "main", "client-name").text());
  }

  @Test
  void aFileReadsAsPropertiesDo() throws IOException {
    Path file =
        file(
            "a=1\r\n b : 2\\\\\n\n  \nc\\ d=x\\\n  # no comment\\\n\ne\nf=\\\\\\\n  g\n#h=\\\ni=3\nj=\\");
    Properties expected = new Properties();
    try (var reader = Files.newBufferedReader(file)) {
      expected.load(reader);
    }
    assertEquals(7, expected.size());
    Properties read = new Properties();
    for (SettingsFile.Line line : SettingsFile.read(file)) {
      read.setProperty(line.key(), line.value().text());
    }
    assertEquals(expected, read);
  }

  /** Secrets are settings of backends. A scenario has the values of its keys in it. */
  @Test
  void keysOfScenariosComeFromNoOtherPlace() {
    Keys keys =
        merge(Sources.map(Map.of("scenario.s.ttl-env", "PATH", "scenario.s.ttl-file", "/none")));
    assertEquals("PATH", value(keys.scenarios(), "s", "ttl-env").text());
    assertEquals("/none", value(keys.scenarios(), "s", "ttl-file").text());
  }

  @Test
  void aKeyWithoutADotIsOneOfTheDefaultBackend() {
    Keys keys = merge(Sources.map(Map.of("provider", "redis", "uri", "redis://localhost")));
    assertEquals("redis", value(keys.backends(), "default", "provider").text());
    assertTrue(
        refusal(() -> Sources.map(Map.of("uri", "redis://a", "backend.default.uri", "redis://b")))
            .contains("'backend.default.uri' is set twice"));
  }

  @Test
  void aKeyThatIsSetTwiceNamesBothLines() throws IOException {
    Path file = file("backend.a.url=redis://x\n\nbackend.a.url=redis://y\n");
    String told = refusal(() -> Sources.file(file));
    assertTrue(told.contains("line 1") && told.contains("line 3"), told);
  }

  @Test
  void anUnknownSectionNamesTheNearest() throws IOException {
    Path file = file("backends.main.url=redis://x\n");
    String told = refusal(() -> Sources.file(file));
    assertTrue(told.contains("'backends.main.url'") && told.contains("line 1"), told);
    assertTrue(told.contains("did you mean 'backend.main.url'?"), told);
    for (String bad :
        List.of("backend.main", "backend..url", "backend.Main.url", "scenario.a.b.c", "a.b", "")) {
      String of = refusal(() -> Sources.map(Map.of(bad, "x")));
      assertTrue(of.contains("'" + bad + "' (in the given map)"), of);
    }
  }

  @Test
  void theOrderIsMapThenPropertyThenEnvironmentThenFile() throws IOException {
    Path file = file("scenario.s.ttl=1s\nscenario.s.renewal=none\nscenario.s.backend=file\n");
    Properties properties = new Properties();
    properties.setProperty("holdfast.scenario.s.ttl", "3s");
    properties.setProperty("holdfast.tck.rule", "EX-1");
    properties.setProperty("scenario.s.ttl", "9s");
    Map<String, String> environment =
        Map.of(
            "HOLDFAST_SCENARIO_S_TTL", "2s",
            "HOLDFAST_SCENARIO_S_RENEWAL", "auto",
            "HOLDFAST_TOKEN", "7",
            "SCENARIO_S_BACKEND", "no");
    Keys keys =
        merge(
            Sources.file(file),
            Sources.environment(environment),
            Sources.systemProperties(properties));
    assertEquals(Map.of("backend", "file", "renewal", "auto", "ttl", "3s"), texts(keys, "s"));
    assertEquals(
        "system property holdfast.scenario.s.ttl", value(keys.scenarios(), "s", "ttl").origin());
    LockConfig config = LockConfig.load(Optional.of(file("")), environment, properties);
    assertTrue(
        config.with(Map.of("scenario.s.ttl", "4s")).toString().contains("ttl=in the given map"),
        config.toString());
  }

  @Test
  void environmentNamesHaveUnderscores() {
    Keys keys =
        merge(
            Sources.environment(
                Map.of(
                    "HOLDFAST_BACKEND_MAIN_TLS_TRUSTSTORE_PASSWORD", "p",
                    "HOLDFAST_BACKEND_MY__DB_URL", "u",
                    "HOLDFAST_SCENARIO_RATE__LIMIT_RETRY_INITIAL", "r")));
    assertEquals("p", value(keys.backends(), "main", "tls-truststore-password").text());
    assertEquals("u", value(keys.backends(), "my-db", "url").text());
    assertEquals("r", value(keys.scenarios(), "rate-limit", "retry-initial").text());
    assertEquals(
        "environment variable HOLDFAST_BACKEND_MY__DB_URL",
        value(keys.backends(), "my-db", "url").origin());
  }

  @Test
  void aMistypedVariableOrPropertyIsNotPassedOver() {
    String told = refusal(() -> Sources.environment(Map.of("HOLDFAST_BACKENDS_MAIN_URL", "x")));
    assertTrue(told.contains("HOLDFAST_BACKENDS_MAIN_URL"), told);
    assertTrue(told.contains("'backend.main.url'"), told);
    Properties properties = new Properties();
    properties.setProperty("holdfast.scenarios.a.ttl", "1s");
    told = refusal(() -> Sources.systemProperties(properties));
    assertTrue(told.contains("'scenario.a.ttl'"), told);
  }

  @Test
  void secretsComeFromFilesAndVariables() throws IOException {
    Path secret = dir.resolve("secret");
    Files.writeString(secret, SECRET + "\n");
    Layer layer =
        Sources.map(
            Map.of(
                "backend.a.password-file",
                secret.toString(),
                "backend.b.password-env",
                "REDIS_PASSWORD",
                "backend.c.password",
                SECRET));
    Keys keys = Keys.merge(Map.of("REDIS_PASSWORD", SECRET), List.of(layer));
    for (String backend : List.of("a", "b", "c")) {
      assertEquals(SECRET, value(keys.backends(), backend, "password").text());
    }
    assertTrue(value(keys.backends(), "a", "password").secret());
    assertTrue(value(keys.backends(), "b", "password").secret());
    assertFalse(keys.toString().contains(SECRET), keys.toString());
    assertFalse(LockConfig.of(Map.of("backend.c.password", SECRET)).toString().contains(SECRET));
  }

  /** As editors and secret stores write them; all else may be a part of the secret. */
  @Test
  void onlyTheEndOfTheLastLineIsNoPartOfASecret() throws IOException {
    Map<String, String> secrets = Map.of("s\r\n", "s", " s \n", " s ", "s\n\n", "s\n", "s", "s");
    for (Map.Entry<String, String> each : secrets.entrySet()) {
      Path secret = dir.resolve("secret");
      Files.writeString(secret, each.getKey());
      Layer layer = Sources.map(Map.of("backend.a.password-file", secret.toString()));
      assertEquals(each.getValue(), value(merge(layer).backends(), "a", "password").text());
    }
  }

  @Test
  void whereASecretIsOverridesWhatItWasAndTheOtherWayRound() throws IOException {
    Path secret = dir.resolve("secret");
    Files.writeString(secret, "from the file");
    Layer direct = Sources.map(Map.of("backend.a.password", "direct"));
    Layer elsewhere = Sources.map(Map.of("backend.a.password-file", secret.toString()));
    assertEquals(
        "from the file", value(merge(direct, elsewhere).backends(), "a", "password").text());
    assertEquals("direct", value(merge(elsewhere, direct).backends(), "a", "password").text());
    Layer both =
        Sources.map(
            Map.of("backend.a.password", "direct", "backend.a.password-file", secret.toString()));
    String told = refusal(() -> merge(both));
    assertTrue(told.contains("'backend.a.password' is set twice"), told);
    assertFalse(told.contains("direct") || told.contains("from the file"), told);
  }

  @Test
  void whereASecretIsThatALaterLayerOverridesIsNotLookedAt() {
    Layer elsewhere =
        Sources.map(
            Map.of(
                "backend.a.password-file",
                dir.resolve("none").toString(),
                "backend.b.password-env",
                "NOT_THERE"));
    Layer direct = Sources.map(Map.of("backend.a.password", "x", "backend.b.password", "y"));
    Keys keys = merge(elsewhere, direct);
    assertEquals("x", value(keys.backends(), "a", "password").text());
    assertEquals("y", value(keys.backends(), "b", "password").text());
  }

  @Test
  void aSecretThatIsNotThereIsNamed() {
    Layer file = Sources.map(Map.of("backend.a.password-file", dir.resolve("none").toString()));
    String told = refusal(() -> merge(file));
    assertTrue(told.contains("backend.a.password-file") && told.contains("none"), told);
    Layer variable = Sources.map(Map.of("backend.a.password-env", "NOT_THERE"));
    told = refusal(() -> merge(variable));
    assertTrue(told.contains("backend.a.password-env") && told.contains("NOT_THERE"), told);
  }

  @Test
  void aFileThatCannotBeReadIsNamedWithoutItsText() throws IOException {
    Path missing = dir.resolve("missing.properties");
    assertTrue(refusal(() -> LockConfig.load(missing)).contains(missing.toString()));
    Path broken = file("a=1\nbackend.a.password=" + SECRET + "\\u00zz\n");
    String told = refusal(() -> LockConfig.load(broken));
    assertTrue(told.contains("line 2"), told);
    assertFalse(told.contains(SECRET), told);
  }

  private Path file(String text) throws IOException {
    Path file = dir.resolve("holdfast.properties");
    Files.writeString(file, text);
    return file;
  }

  private static Keys merge(Layer... lowestFirst) {
    return Keys.merge(Map.of(), List.of(lowestFirst));
  }

  private static Map<String, String> texts(Keys keys, String scenario) {
    return keys.scenarios().getOrDefault(scenario, Map.of()).entrySet().stream()
        .collect(
            java.util.stream.Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().text()));
  }

  private static Value value(Map<String, Map<String, Value>> all, String name, String key) {
    Value value = all.getOrDefault(name, Map.of()).get(key);
    if (value == null) {
      throw new AssertionError("no " + name + "." + key + " in " + all);
    }
    return value;
  }

  private static String refusal(Executable action) {
    return String.valueOf(assertThrows(LockConfigurationException.class, action).getMessage());
  }
}
