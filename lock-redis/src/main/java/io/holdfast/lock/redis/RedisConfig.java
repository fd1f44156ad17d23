/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.Settings;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import java.io.File;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a Redis backend is opened with.
 *
 * @param uri where, and as whom
 * @param options of Lettuce, made safe by {@link #safe}
 */
record RedisConfig(
    String namespace,
    RedisURI uri,
    Duration connectTimeout,
    Duration commandTimeout,
    ClientOptions options) {

  private static final Pattern HOST = Pattern.compile("[^\\s:@/]+|\\[?[0-9A-Fa-f:.]+(%\\w+)?]?");

  /** An at sign stands in the authority only, and there is no fragment. */
  private static final Pattern PLAIN = Pattern.compile("rediss?://[^/?#]*(/[^?#@]*)?(\\?[^#@]*)?");

  static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

  static RedisConfig from(Settings settings) {
    RedisURI uri = uri(settings.required("uri", "redis://localhost:6379"));
    Optional<String> username = settings.text("username");
    Optional<String> password = settings.text("password");
    if (username.isPresent() && password.isEmpty()) {
      throw new LockConfigurationException(
          "Setting 'username' of provider 'redis' needs 'password' as well");
    }
    password.ifPresent(
        secret -> {
          if (username.isPresent()) {
            uri.setAuthentication(username.get(), secret.toCharArray());
          } else {
            uri.setAuthentication(secret.toCharArray());
          }
        });
    uri.setDatabase(settings.number("database", uri.getDatabase(), 0, 1_000_000));
    Duration connectTimeout = settings.duration("connect-timeout", CONNECT_TIMEOUT);
    Duration commandTimeout = settings.duration("command-timeout", COMMAND_TIMEOUT);
    SslOptions.Builder tls = SslOptions.builder().jdkSslProvider();
    Optional<String> truststore = settings.text("tls-truststore");
    Optional<String> truststorePassword = settings.text("tls-truststore-password");
    truststore.ifPresent(
        file ->
            tls.truststore(file(settings, "tls-truststore", file), truststorePassword.orElse("")));
    Optional<String> keystore = settings.text("tls-keystore");
    Optional<String> keystorePassword = settings.text("tls-keystore-password");
    keystore.ifPresent(
        file ->
            tls.keystore(
                file(settings, "tls-keystore", file), keystorePassword.orElse("").toCharArray()));
    if (!uri.isSsl() && (truststore.isPresent() || keystore.isPresent())) {
      throw new LockConfigurationException(
          "Settings 'tls-truststore' and 'tls-keystore' of provider 'redis' need a uri that begins "
              + "with rediss://");
    }
    String namespace = settings.namespace();
    settings.finish();
    ClientOptions options = ClientOptions.builder().sslOptions(tls.build()).build();
    return new RedisConfig(
        namespace,
        uri,
        connectTimeout,
        commandTimeout,
        safe(options, connectTimeout, commandTimeout));
  }

  /**
   * Nothing is sent again, nothing is kept to be sent later, every command has a deadline, and the
   * kernel looks after idle connections.
   */
  static ClientOptions safe(
      ClientOptions options, Duration connectTimeout, Duration commandTimeout) {
    SocketOptions socket =
        options
            .getSocketOptions()
            .mutate()
            .connectTimeout(connectTimeout)
            .keepAlive(true)
            .tcpNoDelay(true)
            .build();
    return options
        .mutate()
        .autoReconnect(false)
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .timeoutOptions(
            TimeoutOptions.builder().timeoutCommands(true).fixedTimeout(commandTimeout).build())
        .socketOptions(socket)
        .build();
  }

  private static RedisURI uri(String text) {
    if (!text.startsWith("redis://") && !text.startsWith("rediss://")) {
      throw badUri();
    }
    // In a password, these characters end the authority, and what is before them becomes a host
    // name, which is shown and looked up. They have to be percent-encoded.
    if (!PLAIN.matcher(text).matches()) {
      throw badUri();
    }
    try {
      RedisURI uri = RedisURI.create(text);
      // What is no port number, Lettuce takes for a part of the host's name.
      if (uri.getHost() == null || !HOST.matcher(uri.getHost()).matches()) {
        throw badUri();
      }
      return uri;
    } catch (IllegalArgumentException e) {
      // Neither the text nor the cause, which quotes it: it may hold a password.
      throw badUri();
    }
  }

  private static LockConfigurationException badUri() {
    return new LockConfigurationException(
        "Setting 'uri' of provider 'redis' must be redis://[[user:]password@]host[:port][/database], "
            + "or the same with rediss:// for TLS; write / ? # and @ in a password as %2F %3F %23 "
            + "and %40");
  }

  private static File file(Settings settings, String key, String name) {
    File file = new File(name);
    if (!file.canRead()) {
      throw settings.bad(key, name, "a file that can be read");
    }
    return file;
  }
}
