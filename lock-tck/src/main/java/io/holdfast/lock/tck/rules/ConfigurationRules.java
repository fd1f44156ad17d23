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

  @Rule(value = "CF-1", lookAt = "the provider in META-INF/services and module-info")
  public void anUnknownProviderListsThoseFound(RuleContext context) {
    Map<String, String> settings = context.settings();
    String mine = String.valueOf(settings.get("provider"));
    settings.put("provider", "zookeper");
    context.checkSays(refusal(context, settings), "'zookeper'", mine);
  }

  @Rule(value = "CF-2", lookAt = "the provider in META-INF/services and module-info")
  public void aMissingProviderListsThoseFound(RuleContext context) {
    Map<String, String> settings = context.settings();
    String mine = String.valueOf(settings.remove("provider"));
    context.checkSays(refusal(context, settings), mine);
  }

  @Rule(value = "CF-3", lookAt = "open(): whether it calls settings.finish()")
  public void anUnknownKeyIsRefusedAndTheNearestIsNamed(RuleContext context) {
    Map<String, String> settings = context.settings();
    settings.put("namespase", "x");
    context.checkSays(refusal(context, settings), "'namespase'", "'namespace'");
  }

  @Rule(value = "CF-4", lookAt = "open(): how it reads its settings")
  public void aBadValueIsNamedWithWhatIsAccepted(RuleContext context) {
    for (String bad : List.of("", "a b", "../x", "x".repeat(65), "a:b", "-a")) {
      Map<String, String> settings = context.settings();
      settings.put("namespace", bad);
      context.checkSays(refusal(context, settings), "namespace");
    }
    for (String bad : List.of("0s", "-1s", "soon", "5", "PT-3S")) {
      Map<String, String> settings = context.settings();
      settings.put("command-timeout", bad);
      context.checkSays(refusal(context, settings), "command-timeout", "'" + bad + "'");
    }
  }

  @Rule(value = "CF-5", lookAt = "open(): how it reads its settings")
  public void aFileOpensWhatAMapDoes(RuleContext context) throws IOException, InterruptedException {
    Properties properties = new Properties();
    properties.putAll(context.settings());
    Path file = Files.createTempFile("holdfast", ".properties");
    context.closing(() -> Files.deleteIfExists(file));
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, null);
    }
    LockClient client = context.closing(Locks.open(file));
    client.lock(context.name(), context.options()).acquire().release();
    Path missing = file.resolveSibling("no-such-holdfast.properties");
    LockConfigurationException told =
        context.expect(LockConfigurationException.class, () -> Locks.open(missing));
    context.checkSays(told, missing.toString());
  }

  @Rule(value = "CF-7", lookAt = "the provider's name()")
  public void theBeginningOfSeveralProvidersNamesThemAll(RuleContext context) {
    Map<String, String> settings = context.settings();
    String mine = String.valueOf(settings.get("provider"));
    int hyphen = mine.indexOf('-');
    if (hyphen < 0) {
      throw context.notPromised("its provider's name is that of its server");
    }
    String server = mine.substring(0, hyphen);
    settings.put("provider", server);
    LockConfigurationException told = refusal(context, settings);
    context.checkSays(told, mine);
    Locks.providers().stream()
        .filter(name -> name.startsWith(server + "-"))
        .forEach(name -> context.checkSays(told, name));
    context.check(
        !RuleContext.message(told).contains("lock-" + server),
        "expected no module to be named, as it is there, but found: " + told);
  }

  @Rule(value = "CF-6", lookAt = "how owner ids are made, in the engine (lock-api)")
  public void theNameOfTheClientIsInItsOwnerIds(RuleContext context) throws InterruptedException {
    Map<String, String> settings = new HashMap<>(context.settings());
    settings.put("client-name", "shop 7/\u00e9");
    LockClient client = context.closing(Locks.open(settings));
    String owner = client.lock(context.name(), context.options()).acquire().ownerId();
    context.check(
        owner.startsWith("shop_7__"),
        "expected an owner id that begins with the client's name made printable, shop_7__, but it is "
            + owner);
    context.check(
        owner.matches("[\\x21-\\x7e]{1,128}"),
        "expected an owner id of up to 128 printable characters of ASCII, but it is " + owner);
  }

  private static LockConfigurationException refusal(
      RuleContext context, Map<String, String> settings) {
    return context.expect(LockConfigurationException.class, () -> Locks.open(settings));
  }
}
