/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.servers.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A user with exactly the rules of some rows of the documentation, at some servers. */
final class Privileges {

  static final String USER = "app";
  static final String PASSWORD = "s3cr3t-pass";

  private static final Pattern ROW = Pattern.compile("\\| (.*) \\| (.*) \\|");
  private static final Pattern STATISTIC = Pattern.compile("cmdstat_([^:]+):calls=(\\d+)");

  private final List<RedisServer> servers;
  private final Set<String> rules = new LinkedHashSet<>();

  private Privileges(List<RedisServer> servers) {
    this.servers = servers;
  }

  /** Makes the user. Commands are counted from now on. */
  static Privileges of(List<RedisServer> servers, String... rows) {
    Privileges privileges = new Privileges(servers);
    for (String row : rows) {
      privileges.rules.addAll(rulesFor(row));
    }
    privileges.grant();
    return privileges;
  }

  /** The same user without one of the rules. */
  Privileges without(String rule) {
    if (!rules.remove(rule)) {
      throw new IllegalStateException(rule + " is not among " + rules);
    }
    grant();
    return this;
  }

  private void grant() {
    List<String> command =
        new ArrayList<>(List.of("ACL", "SETUSER", USER, "reset", "on", ">" + PASSWORD));
    command.addAll(rules);
    for (RedisServer server : servers) {
      server.command(command.toArray(String[]::new));
      server.command("ACL", "LOG", "RESET");
      server.command("CONFIG", "RESETSTAT");
    }
  }

  Map<String, String> credentials() {
    return Map.of("username", USER, "password", PASSWORD);
  }

  /** Which of the granted commands nobody has used. */
  Set<String> unused() {
    Set<String> used =
        statistics()
            .filter(one -> calls(one) > 0)
            .map(one -> "+" + one.group(1))
            .collect(Collectors.toSet());
    Set<String> unused = new LinkedHashSet<>(rules);
    unused.removeIf(rule -> !rule.startsWith("+") || used.contains(rule));
    return unused;
  }

  /** The commands, keys and channels that the user was refused. */
  Set<String> refused() {
    Set<String> refused = new LinkedHashSet<>();
    for (RedisServer server : servers) {
      List<String> entries = server.values("ACL", "LOG");
      for (int i = 0; i + 1 < entries.size(); i++) {
        if (entries.get(i).equals("object")) {
          refused.add(entries.get(i + 1));
        }
      }
    }
    return refused;
  }

  /** By Lettuce, which greets the server on each; the questions of a test do not. */
  long connectionsMade() {
    return statistics()
        .filter(one -> one.group(1).equals("hello"))
        .mapToLong(Privileges::calls)
        .sum();
  }

  private Stream<MatchResult> statistics() {
    return servers.stream()
        .flatMap(server -> server.command("INFO", "commandstats").lines())
        .map(STATISTIC::matcher)
        .filter(Matcher::find)
        .map(Matcher::toMatchResult);
  }

  private static long calls(MatchResult statistic) {
    return Long.parseLong(statistic.group(2));
  }

  /** The rules that the command to copy, which is one line, adds to a user without any rule. */
  static List<String> rulesToCopy() {
    String command =
        page().lines().filter(line -> line.startsWith("ACL SETUSER ")).findFirst().orElseThrow();
    return Stream.of(command.split(" "))
        .dropWhile(word -> !word.equals(">secret"))
        .skip(1)
        .toList();
  }

  static Set<String> rulesFor(String row) {
    String cell =
        page()
            .lines()
            .map(ROW::matcher)
            .filter(Matcher::matches)
            .filter(found -> found.group(1).startsWith(row))
            .map(found -> found.group(2))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("the page has no row for " + row));
    return cell.equals("nothing")
        ? Set.of()
        : new LinkedHashSet<>(
            Arrays.asList(cell.replace("`", "").replace("\\|", "|").split("\\s+")));
  }

  private static String page() {
    try {
      String page = Files.readString(Path.of("..", "docs", "backends", "redis.md"));
      return page.substring(page.indexOf("## Permissions"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
