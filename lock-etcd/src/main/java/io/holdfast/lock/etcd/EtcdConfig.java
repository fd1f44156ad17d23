/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.etcd.client.Credentials;
import io.holdfast.lock.etcd.client.EtcdTls;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.spi.Settings;
import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of a client of etcd.
 *
 * @param endpoints one or more members of one cluster
 * @param credentials who we are, where etcd asks
 * @param tls if the endpoints begin with https
 * @param connectTimeout for opening
 * @param locks where locks live
 */
record EtcdConfig(
    List<Endpoint> endpoints,
    Optional<Credentials> credentials,
    Optional<EtcdTls> tls,
    Duration connectTimeout,
    Locks locks) {

  private static final String PROVIDER = EtcdLockProvider.NAME;
  private static final int USUAL_PORT = 2379;
  private static final Pattern ENDPOINT =
      Pattern.compile("(?:(https?)://)?([^\\s:/,@\\[\\]]+|\\[[0-9A-Fa-f:.]+])(?::(\\d{1,5}))?");
  private static final Pattern ROOT = Pattern.compile("(/?[A-Za-z0-9_-][A-Za-z0-9._-]*)+");

  /** Where a member listens. */
  record Endpoint(boolean secure, String host, int port) {

    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  /**
   * Where locks live, and for how long a request may take.
   *
   * @param keys of the namespace
   * @param commandTimeout of every operation
   */
  record Locks(LockKeys keys, Duration commandTimeout) {

    static Locks of(Settings settings) {
      String root =
          settings.parsed(
              "root", "/holdfast", "the beginning of all keys, such as /holdfast", Locks::root);
      Duration timeout = settings.duration("command-timeout", Duration.ofSeconds(2));
      return new Locks(new LockKeys(root, settings.namespace()), timeout);
    }

    private static String root(String value) {
      if (!ROOT.matcher(value).matches()) {
        throw new IllegalArgumentException();
      }
      return value;
    }
  }

  static EtcdConfig of(Settings settings) {
    if (settings.required("endpoints", "http://localhost:2379").contains("@")) {
      // Not to be quoted: a password may be before the at sign.
      throw new LockConfigurationException(
          "Setting 'endpoints' of provider 'etcd' must be http://host:port or https://host:port,"
              + " without a user; set 'username' and 'password'");
    }
    List<Endpoint> endpoints =
        settings
            .parsed(
                "endpoints",
                "http://host:port or https://host:port, more of the same kind separated by commas",
                EtcdConfig::endpoints)
            .orElseThrow();
    EtcdConfig config =
        new EtcdConfig(
            endpoints,
            credentials(settings),
            EtcdTls.of(settings, endpoints.get(0).secure()),
            settings.duration("connect-timeout", Duration.ofSeconds(10)),
            Locks.of(settings));
    settings.finish();
    return config;
  }

  static Optional<Credentials> credentials(Settings settings) {
    Optional<String> user = settings.text("username");
    Optional<String> password = settings.text("password");
    if (user.isPresent() != password.isPresent()) {
      throw new LockConfigurationException(
          "Settings 'username' and 'password' of provider '" + PROVIDER + "' need each other");
    }
    return user.map(name -> new Credentials(name, password.orElseThrow()));
  }

  private static List<Endpoint> endpoints(String value) {
    List<Endpoint> endpoints =
        Arrays.stream(value.split(",", -1)).map(one -> endpoint(one.trim())).toList();
    if (endpoints.stream().map(Endpoint::secure).distinct().count() > 1) {
      throw new IllegalArgumentException();
    }
    return endpoints;
  }

  private static Endpoint endpoint(String text) {
    Matcher matcher = ENDPOINT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException();
    }
    int port = matcher.group(3) == null ? USUAL_PORT : Integer.parseInt(matcher.group(3));
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException();
    }
    String host = matcher.group(2);
    if (host.contains("_")) {
      // gRPC would refuse it with an error that is not typed.
      throw new LockConfigurationException(
          "Setting 'endpoints' of provider '%s' names the host '%s', and no host's name may have an underscore; use another name of it, or its address"
              .formatted(PROVIDER, VisibleText.of(host)));
    }
    return new Endpoint("https".equals(matcher.group(1)), host, port);
  }
}
