/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Privileges that docs/security.md lists.
 *
 * @param privilege such as {@code UPDATE}
 * @param object such as {@code SEQUENCE holdfast.lock_token}
 */
record PostgresGrants(String privilege, String object) {

  private static final Path PAGE = Path.of("../docs/security.md");
  private static final Pattern GRANT =
      Pattern.compile("GRANT ([A-Z, ]+) ON (SCHEMA |SEQUENCE )?(.+) TO app;");

  static String page() {
    try {
      return Files.readString(PAGE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The lines behind a comment that names the provider. */
  static List<String> lines(String provider) {
    Matcher listed = Pattern.compile("-- " + provider + "\n((?:GRANT .*\n)+)").matcher(page());
    return listed.find() ? listed.group(1).lines().toList() : List.of();
  }

  /** Those of a provider, one by one. */
  static List<PostgresGrants> of(String provider) {
    List<PostgresGrants> all = new ArrayList<>();
    for (String line : lines(provider)) {
      Matcher grant = GRANT.matcher(line);
      if (!grant.matches()) {
        throw new AssertionError(line);
      }
      String kind = grant.group(2) == null ? "" : grant.group(2);
      for (String object : grant.group(3).split(", ", -1)) {
        for (String privilege : grant.group(1).split(", ", -1)) {
          all.add(new PostgresGrants(privilege, kind + object));
        }
      }
    }
    assertFalse(all.isEmpty(), "no list of " + provider);
    return all;
  }

  /** Makes a role, and gives it those of a provider. */
  static void toNewRole(PostgresHarness scene, String provider, String role) {
    scene.server.ask("CREATE ROLE " + role + " LOGIN");
    of(provider).forEach(one -> one.giveTo(scene, role));
  }

  void giveTo(PostgresHarness scene, String role) {
    scene.server.ask("GRANT " + this + " TO " + role);
  }

  void takeFrom(PostgresHarness scene, String role) {
    scene.server.ask("REVOKE " + this + " FROM " + role);
  }

  /** As the server calls what it denies. */
  String denial() {
    String name = object.replaceAll(".*[ .]", "");
    String kind =
        object.startsWith("SCHEMA") ? "schema" : object.contains(" ") ? "sequence" : "table";
    return "permission denied for " + kind + " " + name;
  }

  @Override
  public String toString() {
    return privilege + " ON " + object;
  }
}
