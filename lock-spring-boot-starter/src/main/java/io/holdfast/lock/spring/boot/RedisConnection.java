/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.redis.RedisLocks;
import io.holdfast.lock.redis.RedisSource;
import io.holdfast.lock.spi.Settings;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.cluster.RedisClusterClient;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Over the client of a {@link LettuceConnectionFactory}: one server (also by a socket of Unix), one
 * behind sentinels, or a cluster. Credentials, TLS and the database are those of the factory.
 */
final class RedisConnection implements ReadyConnection {

  /** The field of the factory; a native image has to keep it. */
  static final String CONFIGURATION = "configuration";

  @Override
  public LockClient open(
      Object bean, String provider, Map<String, String> settings, ClientOptions options) {
    Settings read = new Settings(provider, settings);
    RedisSource source = source(bean, read);
    String namespace = read.namespace();
    read.finish();
    return RedisLocks.using(source, namespace, options);
  }

  @Override
  public Optional<RateLimiter> openLimiter(
      Object bean, Map<String, String> settings, RateLimit limit, ClientOptions options) {
    Settings read = new Settings("redis", settings);
    RedisSource source = source(bean, read);
    String namespace = read.namespace();
    read.finish();
    return Optional.of(RedisLocks.limiter(source, namespace, limit, options));
  }

  private static RedisSource source(Object bean, Settings settings) {
    if (!(bean instanceof LettuceConnectionFactory factory)) {
      throw new LockConfigurationException(
          "Locks on Redis need Lettuce, but the application's connections are of %s. Use Lettuce there, or set 'uri' to give the locks connections of their own"
              .formatted(bean.getClass().getName()));
    }
    AbstractRedisClient client = factory.getRequiredNativeClient();
    RedisSource source =
        client instanceof RedisClusterClient cluster
            ? RedisSource.of(cluster, seeds(factory))
            : RedisSource.of((RedisClient) client, uri(factory));
    int replicas = settings.number("wait-replicas", 0, 0, 100);
    return source.withWaitReplicas(replicas);
  }

  private static List<RedisURI> seeds(LettuceConnectionFactory factory) {
    RedisClusterConfiguration cluster = factory.getClusterConfiguration();
    if (cluster == null) {
      throw unknown(factory);
    }
    List<RedisURI> seeds = new ArrayList<>();
    for (RedisNode node : cluster.getClusterNodes()) {
      RedisURI uri = RedisURI.create(String.valueOf(node.getHost()), port(node));
      seeds.add(finished(uri, factory, cluster, cluster.getUsername(), cluster.getPassword()));
    }
    return seeds;
  }

  /** Of one server, or of one behind sentinels. */
  static RedisURI uri(LettuceConnectionFactory factory) {
    RedisSentinelConfiguration sentinel = factory.getSentinelConfiguration();
    if (sentinel != null) {
      return finished(
          behind(sentinel), factory, sentinel, sentinel.getUsername(), sentinel.getPassword());
    }
    RedisSocketConfiguration socket = factory.getSocketConfiguration();
    if (socket != null) {
      return finished(
          RedisURI.Builder.socket(socket.getSocket()).build(),
          factory,
          socket,
          socket.getUsername(),
          socket.getPassword());
    }
    RedisConfiguration one = configuration(factory);
    if (!RedisConfiguration.isHostAndPortAware(one)) {
      throw unknown(factory);
    }
    RedisURI uri = RedisURI.create(factory.getHostName(), factory.getPort());
    return one instanceof RedisConfiguration.WithAuthentication login
        ? finished(uri, factory, one, login.getUsername(), login.getPassword())
        : finished(uri, factory, one, null, RedisPassword.none());
  }

  /**
   * What the factory connects by. Its own getter answers with a server on this host, instead, if
   * the factory was not made with the class of that: for a master with replicas, or for a
   * configuration that was made of an address.
   */
  private static RedisConfiguration configuration(LettuceConnectionFactory factory) {
    Field field = ReflectionUtils.findField(LettuceConnectionFactory.class, CONFIGURATION);
    if (field == null) {
      throw unknown(factory);
    }
    ReflectionUtils.makeAccessible(field);
    Object configuration = ReflectionUtils.getField(field, behindProxies(factory));
    if (configuration == null) {
      throw unknown(factory);
    }
    return (RedisConfiguration) configuration;
  }

  /** A proxy, as of a scope or an aspect, passes calls on, but has fields of its own, all empty. */
  private static Object behindProxies(Object bean) {
    if (!(bean instanceof Advised proxy)) {
      return bean;
    }
    Object target;
    try {
      target = proxy.getTargetSource().getTarget();
    } catch (Exception e) {
      throw new IllegalStateException("what the proxy of a bean is for cannot be had", e);
    }
    return target == null ? bean : behindProxies(target);
  }

  private static RedisURI behind(RedisSentinelConfiguration sentinel) {
    RedisURI uri = new RedisURI();
    uri.setSentinelMasterId(
        sentinel.getMaster() == null ? "" : String.valueOf(sentinel.getMaster().getName()));
    for (RedisNode node : sentinel.getSentinels()) {
      RedisURI one = RedisURI.create(String.valueOf(node.getHost()), port(node));
      credentials(one, sentinel.getSentinelUsername(), sentinel.getSentinelPassword());
      uri.getSentinels().add(one);
    }
    return uri;
  }

  private static int port(RedisNode node) {
    Integer port = node.getPort();
    return port == null ? RedisURI.DEFAULT_REDIS_PORT : port;
  }

  /** What the factory sets for each of its connections. */
  private static RedisURI finished(
      RedisURI uri,
      LettuceConnectionFactory factory,
      RedisConfiguration configuration,
      @Nullable String username,
      RedisPassword password) {
    uri.setDatabase(factory.getDatabase());
    uri.setTimeout(factory.getClientConfiguration().getCommandTimeout());
    uri.setSsl(factory.getClientConfiguration().isUseSsl());
    uri.setStartTls(factory.getClientConfiguration().isStartTls());
    uri.setVerifyPeer(factory.getClientConfiguration().getVerifyMode());
    for (RedisURI sentinel : uri.getSentinels()) {
      sentinel.setSsl(uri.isSsl());
      sentinel.setStartTls(uri.isStartTls());
      sentinel.setVerifyPeer(uri.getVerifyMode());
    }
    factory
        .getClientConfiguration()
        .getRedisCredentialsProviderFactory()
        .ifPresentOrElse(
            provider ->
                uri.setCredentialsProvider(provider.createCredentialsProvider(configuration)),
            () -> credentials(uri, username, password));
    return uri;
  }

  private static void credentials(RedisURI uri, @Nullable String username, RedisPassword password) {
    password
        .toOptional()
        .ifPresent(
            secret -> uri.setCredentialsProvider(new StaticCredentialsProvider(username, secret)));
  }

  /** A master with replicas by fixed addresses: whose master is replaced, without a word. */
  private static LockConfigurationException unknown(LettuceConnectionFactory factory) {
    return new LockConfigurationException(
        "The application's connections to Redis are neither to one server, nor through sentinels, nor to a cluster (%s). Set 'uri' to give the locks connections of their own"
            .formatted(factory.getClientConfiguration().getClass().getSimpleName()));
  }
}
