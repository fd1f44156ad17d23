/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.etcd.EtcdLocks;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.postgres.PostgresLocks;
import io.holdfast.lock.redis.RedisLocks;
import io.holdfast.lock.zookeeper.ZooKeeperLocks;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.io.File;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Locks on a connection of the application's are refused if its library is too old, as those are
 * that make their own. A version is read from the name of the jar.
 */
class OldLibrariesTest {

  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource({
    "redis, lettuce-core",
    "limiter, lettuce-core",
    "etcd, grpc-api",
    "zookeeper, curator-framework",
    "advisory, postgresql",
    "table, postgresql",
    "row, postgresql"
  })
  void theLibraryOfTheApplicationIsRefusedByItsVersion(String kind, String artifact)
      throws Exception {
    String told = using(kind, artifact);
    assertTrue(told.contains(artifact + ": found 1.0, needed "), told);
  }

  @Test
  void anyPoolOfTheApplicationWillDoForRowLocks() throws Exception {
    String told = using("row", "HikariCP");
    assertFalse(told.contains("HikariCP"), told);
  }

  /** The message of classes that find version 1.0 of a library. */
  private String using(String kind, String artifact) throws Exception {
    List<URL> path = new ArrayList<>();
    int renamed = 0;
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path place = Path.of(entry);
      if (place.getFileName().toString().matches(artifact + "-\\d.*\\.jar")) {
        place = Files.copy(place, dir.resolve(artifact + "-1.0.jar"));
        renamed++;
      }
      path.add(place.toUri().toURL());
    }
    assertTrue(renamed == 1, renamed + " jars of " + artifact);
    try (URLClassLoader loader =
        new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      @SuppressWarnings("unchecked")
      UnaryOperator<String> application =
          (UnaryOperator<String>)
              loader.loadClass(Application.class.getName()).getConstructor().newInstance();
      return application.apply(kind);
    }
  }

  /** Nothing that it hands over is connected. */
  public static final class Application implements UnaryOperator<String> {

    /** For the class loader. */
    public Application() {}

    @Override
    public String apply(String kind) {
      try {
        open(kind);
        return "opened";
      } catch (LockException e) {
        return e instanceof LockConfigurationException
            ? String.valueOf(e.getMessage())
            : "not refused";
      }
    }

    private static void open(String kind) {
      Map<String, String> none = Map.of();
      ClientOptions options = ClientOptions.defaults();
      switch (kind) {
        case "redis", "limiter" -> onLettuce(kind.equals("limiter"));
        case "etcd" -> EtcdLocks.using(new NoChannel()).close();
        case "zookeeper" -> ZooKeeperLocks.using(curator()).close();
        case "advisory" -> PostgresLocks.advisory(dataSource(), none, options).close();
        case "table" -> PostgresLocks.table(dataSource(), none, options).close();
        default -> PostgresLocks.row(dataSource(), none, options).close();
      }
    }

    private static void onLettuce(boolean limiter) {
      RedisURI nowhere = RedisURI.create("redis://127.0.0.1:1");
      RedisClient client = RedisClient.create();
      try {
        if (limiter) {
          RateLimit limit = new RateLimit(1, Duration.ofSeconds(1), RateLimit.Unanswered.REFUSE);
          RedisLocks.limiter(client, nowhere, limit).close();
        } else {
          RedisLocks.using(client, nowhere).close();
        }
      } finally {
        client.shutdown();
      }
    }

    private static PGSimpleDataSource dataSource() {
      PGSimpleDataSource nowhere = new PGSimpleDataSource();
      nowhere.setPortNumbers(new int[] {1});
      return nowhere;
    }

    private static CuratorFramework curator() {
      return (CuratorFramework)
          Proxy.newProxyInstance(
              Application.class.getClassLoader(),
              new Class<?>[] {CuratorFramework.class},
              (proxy, method, arguments) -> CuratorFrameworkState.STARTED);
    }
  }

  private static final class NoChannel extends Channel {

    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
      throw new AssertionError("asked");
    }

    @Override
    public String authority() {
      return "nobody";
    }
  }
}
