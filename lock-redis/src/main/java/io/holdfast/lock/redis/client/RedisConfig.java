/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.client;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.Settings;
import io.holdfast.lock.spi.StoreFile;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a client of one server.
 *
 * @param namespace the beginning of all keys
 * @param uri where, and as whom
 * @param connectTimeout for making a connection
 * @param commandTimeout for each command
 * @param replicas how many have to confirm a lock before it counts
 * @param options of Lettuce, made safe for locks
 */
public record RedisConfig(
    String namespace,
    RedisURI uri,
    Duration connectTimeout,
    Duration commandTimeout,
    int replicas,
    ClientOptions options) {

  private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /**
   * With the default time-outs, and the options of somebody's client.
   *
   * @param namespace checked
   * @param uri copied
   * @param options copied, and made safe in the copy
   * @return a configuration
   */
  public static RedisConfig of(String namespace, RedisURI uri, ClientOptions options) {
    RedisURI copy = RedisAddress.rotated(uri, 0);
    return make(namespace, copy, CONNECT_TIMEOUT, COMMAND_TIMEOUT, options);
  }

  /**
   * Reads the settings of one server, or of some servers of a cluster.
   *
   * @param settings of which the provider may read more; it calls {@link Settings#finish()}
   * @return a configuration for each address
   */
  public static List<RedisConfig> from(Settings settings) {
    String text = settings.required("uri", "redis://localhost:6379");
    List<String> addresses = RedisAddress.split(text);
    int replicas = settings.number("wait-replicas", 0, 0, 100);
    return from(settings, "uri", addresses, COMMAND_TIMEOUT).stream()
        .map(config -> config.withReplicas(replicas))
        .toList();
  }

  /**
   * Reads the settings of several servers, which differ in their addresses only.
   *
   * @param settings of which the provider may read more; it calls {@link Settings#finish()}
   * @param key of the setting with the addresses, for messages
   * @param addresses one or more
   * @param commandTimeout if none is set
   * @return a configuration for each address
   */
  public static List<RedisConfig> from(
      Settings settings, String key, List<String> addresses, Duration commandTimeout) {
    String place = settings.place(key);
    List<RedisURI> uris =
        addresses.stream().map(text -> RedisAddress.parse(key, place, text)).toList();
    Optional<String> username = settings.text("username");
    Optional<String> password = settings.text("password");
    if (username.isPresent() && password.isEmpty()) {
      throw new LockConfigurationException("Setting 'username' needs 'password' as well");
    }
    boolean tls = uris.stream().allMatch(RedisURI::isSsl);
    SslOptions stores = stores(settings, key, tls);
    Duration connect = settings.duration("connect-timeout", CONNECT_TIMEOUT);
    Duration command = settings.duration("command-timeout", commandTimeout);
    String namespace = settings.namespace();
    ClientOptions options = ClientOptions.builder().sslOptions(stores).build();
    List<RedisConfig> configs = new ArrayList<>();
    for (RedisURI uri : uris) {
      password.ifPresent(
          secret -> {
            if (username.isPresent()) {
              uri.setAuthentication(username.get(), secret.toCharArray());
            } else {
              uri.setAuthentication(secret.toCharArray());
            }
          });
      uri.setDatabase(settings.number("database", uri.getDatabase(), 0, 1_000_000));
      configs.add(make(namespace, uri, connect, command, options));
    }
    return configs;
  }

  /**
   * The same, where replicas confirm what is written.
   *
   * @param count how many
   * @return a configuration
   */
  public RedisConfig withReplicas(int count) {
    return new RedisConfig(namespace, uri, connectTimeout, commandTimeout, count, options);
  }

  /**
   * Whether an address is one of a cluster.
   *
   * @param settings of the provider
   * @return whether it says so
   */
  public static boolean isCluster(Settings settings) {
    return settings.text("uri").filter(RedisAddress::isCluster).isPresent();
  }

  /**
   * The same, of another server.
   *
   * @param host where it is
   * @param port where it is
   * @return a configuration
   */
  public RedisConfig at(String host, int port) {
    RedisURI other = RedisURI.builder(uri).withHost(host).withPort(port).build();
    return new RedisConfig(namespace, other, connectTimeout, commandTimeout, replicas, options);
  }

  /**
   * Host and port.
   *
   * @return for messages; holds no secret
   */
  public String where() {
    return RedisFailures.where(uri);
  }

  private static SslOptions stores(Settings settings, String uriKey, boolean tls) {
    SslOptions.Builder stores = SslOptions.builder().jdkSslProvider();
    Optional<StoreFile> truststore = settings.storeFile("tls-truststore");
    truststore.ifPresent(store -> stores.truststore(store.file().toFile(), store.password()));
    Optional<StoreFile> keystore = settings.storeFile("tls-keystore");
    keystore.ifPresent(
        store -> stores.keystore(store.file().toFile(), store.password().toCharArray()));
    if (!tls && (truststore.isPresent() || keystore.isPresent())) {
      throw new LockConfigurationException(
          "Settings 'tls-truststore' and 'tls-keystore' need a '"
              + uriKey
              + "' that begins with rediss://");
    }
    return stores.build();
  }

  private static RedisConfig make(
      String namespace, RedisURI uri, Duration connect, Duration command, ClientOptions options) {
    uri.setTimeout(connect);
    uri.getSentinels().forEach(sentinel -> sentinel.setTimeout(connect));
    return new RedisConfig(namespace, uri, connect, command, 0, safe(options, connect, command));
  }

  /**
   * Nothing is sent again, nothing is kept to be sent later, every command has a deadline, and the
   * kernel looks after idle connections. No announcement of maintenance moves a connection or puts
   * a deadline off.
   */
  private static ClientOptions safe(
      ClientOptions options, Duration connectTimeout, Duration commandTimeout) {
    SocketOptions socket =
        options
            .getSocketOptions()
            .mutate()
            .connectTimeout(connectTimeout)
            .keepAlive(true)
            .tcpNoDelay(true)
            .build();
    ClientOptions.Builder safe = options.mutate();
    MaintenanceNotifications.disable(safe);
    return safe.autoReconnect(false)
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .timeoutOptions(
            TimeoutOptions.builder().timeoutCommands(true).fixedTimeout(commandTimeout).build())
        .socketOptions(socket)
        .build();
  }
}
