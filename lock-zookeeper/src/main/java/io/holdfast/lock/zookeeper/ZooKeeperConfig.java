/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.Settings;
import io.holdfast.lock.text.TimeText;
import io.holdfast.lock.zookeeper.client.ZooKeeperTls;
import io.holdfast.lock.zookeeper.queue.LockPaths;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;

/**
 * The settings of a client of an ensemble.
 *
 * @param connect {@code host:port,host:port/chroot}
 * @param sessionTimeout asked for; the server grants what it likes
 * @param connectTimeout for opening
 * @param auth {@code user:password} of the digest scheme; a secret
 * @param tls if wanted
 * @param locks where locks live
 */
record ZooKeeperConfig(
    String connect,
    Duration sessionTimeout,
    Duration connectTimeout,
    Optional<String> auth,
    Optional<ZooKeeperTls> tls,
    Locks locks) {

  private static final int USUAL_PORT = 2181;
  private static final Pattern SERVER =
      Pattern.compile("(?:[^\\s,/:\\[\\]]+|\\[[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*])(?::(\\d{1,5}))?");
  private static final Pattern CONNECT = Pattern.compile("([^\\s/]+)(?:/[^\\s,]*[^\\s,/])?");
  private static final Pattern ROOT = Pattern.compile("(/[A-Za-z0-9_-][A-Za-z0-9._-]*)+");

  /**
   * Where locks live, and on which terms.
   *
   * @param paths the nodes
   * @param acl of every node that is made
   * @param commandTimeout of every operation; chosen by the session's time-out if empty
   */
  record Locks(LockPaths paths, List<ACL> acl, Optional<Duration> commandTimeout) {

    static Locks of(Settings settings) {
      String root =
          settings.parsed(
              "root",
              "/holdfast",
              "an absolute path such as /holdfast, outside /zookeeper",
              Locks::root);
      return new Locks(
          new LockPaths(root, settings.namespace()),
          acl(settings),
          settings.duration("command-timeout"));
    }

    private static String root(String value) {
      if (!ROOT.matcher(value).matches() || (value + "/").startsWith("/zookeeper/")) {
        throw new IllegalArgumentException();
      }
      return value;
    }

    private static List<ACL> acl(Settings settings) {
      return settings.parsed(
          "acl",
          "open",
          "open or creator",
          value ->
              switch (value.trim().toLowerCase(Locale.ROOT)) {
                case "open" -> ZooDefs.Ids.OPEN_ACL_UNSAFE;
                case "creator" -> ZooDefs.Ids.CREATOR_ALL_ACL;
                default -> throw new IllegalArgumentException();
              });
    }
  }

  static ZooKeeperConfig of(Settings settings) {
    settings.required("connect", "zk1:2181,zk2:2181,zk3:2181/app");
    String connect =
        settings
            .parsed(
                "connect",
                "host:port (from 1 to 65535; an address of IPv6 is written in brackets), more of"
                    + " them separated by commas, optionally followed by a /chroot",
                ZooKeeperConfig::connect)
            .orElseThrow();
    Optional<String> auth = settings.text("auth");
    ZooKeeperConfig config =
        new ZooKeeperConfig(
            connect,
            settings.duration("session-timeout", Duration.ofSeconds(10)),
            settings.duration("connect-timeout", Duration.ofSeconds(10)),
            auth,
            ZooKeeperTls.of(settings),
            Locks.of(settings));
    settings.finish();
    config.check();
    return config;
  }

  private void check() {
    if (auth.isPresent() && !auth.get().matches("(?s)[^:]+:.+")) {
      throw new LockConfigurationException(
          "Setting 'auth' of provider 'zookeeper' must be user:password (its value is not shown)");
    }
    if (auth.isEmpty() && locks.acl().equals(ZooDefs.Ids.CREATOR_ALL_ACL)) {
      throw new LockConfigurationException(
          "Setting 'acl' of provider 'zookeeper' is 'creator', which needs an identity: set 'auth'"
              + " to user:password");
    }
    // The client counts on it also before the server has said what it grants.
    checkBounds("session-timeout", sessionTimeout, Duration.ofSeconds(1));
    checkBounds("connect-timeout", connectTimeout, Duration.ofMillis(1));
  }

  private static void checkBounds(String key, Duration value, Duration least) {
    if (value.compareTo(least) < 0 || value.compareTo(Duration.ofHours(1)) > 0) {
      throw new LockConfigurationException(
          "Setting '%s' of provider 'zookeeper' must be from %s to 1 h, but is %s"
              .formatted(key, TimeText.of(least), TimeText.of(value)));
    }
  }

  private static String connect(String value) {
    String trimmed = value.trim();
    Matcher matcher = CONNECT.matcher(trimmed);
    if (!matcher.matches()
        || !Arrays.stream(matcher.group(1).split(",", -1)).allMatch(ZooKeeperConfig::isServer)) {
      throw new IllegalArgumentException();
    }
    return trimmed;
  }

  private static boolean isServer(String text) {
    Matcher matcher = SERVER.matcher(text);
    if (!matcher.matches()) {
      return false;
    }
    int port = matcher.group(1) == null ? USUAL_PORT : Integer.parseInt(matcher.group(1));
    return port >= 1 && port <= 65_535;
  }

  /** Shows no secret. */
  @Override
  public String toString() {
    return "ZooKeeperConfig[" + connect + "]";
  }
}
