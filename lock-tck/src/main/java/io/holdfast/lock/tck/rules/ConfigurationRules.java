/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.Locks;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** CF: configuration explains itself. */
public final class ConfigurationRules {

  @Rule("CF-1")
  public void anUnknownProviderListsThoseFound(Bench bench) {
    Map<String, String> settings = bench.settings();
    String mine = String.valueOf(settings.get("provider"));
    settings.put("provider", "zookeper");
    String told = refusal(bench, settings);
    bench.check(told.contains("'zookeper'") && told.contains(mine), told);
  }

  @Rule("CF-2")
  public void aMissingProviderListsThoseFound(Bench bench) {
    Map<String, String> settings = bench.settings();
    String mine = String.valueOf(settings.remove("provider"));
    bench.check(refusal(bench, settings).contains(mine), "what was found is not listed");
  }

  @Rule("CF-3")
  public void anUnknownKeyIsRefusedAndTheNearestIsNamed(Bench bench) {
    Map<String, String> settings = bench.settings();
    settings.put("namespase", "x");
    String told = refusal(bench, settings);
    bench.check(told.contains("'namespase'") && told.contains("'namespace'"), told);
  }

  @Rule("CF-4")
  public void aBadValueIsNamedWithWhatIsAccepted(Bench bench) {
    for (String bad : List.of("", "a b", "../x", "x".repeat(65), "a:b", "-a")) {
      Map<String, String> settings = bench.settings();
      settings.put("namespace", bad);
      bench.check(refusal(bench, settings).contains("namespace"), "the key is not named");
    }
    for (String bad : List.of("0s", "-1s", "soon", "5", "PT-3S")) {
      Map<String, String> settings = bench.settings();
      settings.put("command-timeout", bad);
      String told = refusal(bench, settings);
      bench.check(told.contains("command-timeout") && told.contains("'" + bad + "'"), told);
    }
  }

  @Rule("CF-5")
  public void aFileOpensWhatAMapDoes(Bench bench) throws IOException, InterruptedException {
    Properties properties = new Properties();
    properties.putAll(bench.settings());
    Path file = Files.createTempFile("holdfast", ".properties");
    bench.closing(() -> Files.deleteIfExists(file));
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, null);
    }
    LockClient client = bench.closing(Locks.open(file));
    client.lock(bench.name(), bench.options()).acquire().release();
    Path missing = file.resolveSibling("no-such-holdfast.properties");
    LockConfigurationException told =
        bench.expect(LockConfigurationException.class, () -> Locks.open(missing));
    bench.check(Bench.message(told).contains(missing.toString()), Bench.message(told));
  }

  @Rule("CF-7")
  public void theBeginningOfSeveralProvidersNamesThemAll(Bench bench) {
    Map<String, String> settings = bench.settings();
    String mine = String.valueOf(settings.get("provider"));
    int hyphen = mine.indexOf('-');
    if (hyphen < 0) {
      throw bench.notPromised("its provider's name is that of its server");
    }
    String server = mine.substring(0, hyphen);
    settings.put("provider", server);
    String told = refusal(bench, settings);
    List<String> missing =
        Locks.providers().stream()
            .filter(name -> name.startsWith(server + "-") && !told.contains(name))
            .toList();
    bench.check(told.contains(mine) && missing.isEmpty(), told);
    bench.check(!told.contains("lock-" + server), "sent for a module that is there: " + told);
  }

  @Rule("CF-6")
  public void theNameOfTheClientIsInItsOwnerIds(Bench bench) throws InterruptedException {
    Map<String, String> settings = new HashMap<>(bench.settings());
    settings.put("client-name", "shop 7/\u00e9");
    LockClient client = bench.closing(Locks.open(settings));
    String owner = client.lock(bench.name(), bench.options()).acquire().ownerId();
    bench.check(
        owner.startsWith("shop_7__"),
        "expected an owner id that begins with the client's name made printable, shop_7__, but it is "
            + owner);
    bench.check(
        owner.matches("[\\x21-\\x7e]{1,128}"),
        "expected an owner id of up to 128 printable characters of ASCII, but it is " + owner);
  }

  private static String refusal(Bench bench, Map<String, String> settings) {
    return String.valueOf(
        bench.expect(LockConfigurationException.class, () -> Locks.open(settings)).getMessage());
  }
}
