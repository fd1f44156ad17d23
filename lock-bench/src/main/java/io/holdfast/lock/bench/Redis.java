/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.bench.Entry.Kind;
import io.holdfast.lock.bench.Entry.Trait;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redis: the bare scripts, and Redisson. */
final class Redis {

  private static final String SCHEME = "redis://";
  private static final String TAKE =
      "return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])";
  private static final String GIVE_BACK =
      "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end"
          + " return 0";

  private Redis() {}

  static Map<String, String> settings(Address address) {
    return Map.of("uri", SCHEME + address.first());
  }

  /** Servers that have just been started count at once. */
  static Map<String, String> quorumSettings(Address address) {
    return Map.of("uris", String.join(",", address.uris(SCHEME)), "restart-delay", "none");
  }

  static Entry limit() {
    return new Entry(
        "redis",
        Kind.LIMIT,
        "2 EVALSHA",
        "Lettuce, one connection; SET NX PX, and DEL if it is the owner's; no token",
        Set.of(),
        Bare::new);
  }

  static Entry quorumLimit() {
    return new Entry(
        "redlock",
        Kind.LIMIT,
        "2 EVALSHA to each of 5",
        "Lettuce, one connection to each server; the scripts as for one server, all five at once,"
            + " waiting for all",
        Set.of(),
        Bare::new);
  }

  static Entry redisson() {
    return new Entry(
        "redis",
        Kind.PEER,
        "Redisson RLock",
        "Redisson.create(useSingleServer), lock(), unlock()",
        EnumSet.of(Trait.WAITS, Trait.HOLDS_MANY, Trait.TAKES_SEVERAL),
        Redissons::new);
  }

  static Entry redissonMultiLock() {
    return new Entry(
        "redlock",
        Kind.PEER,
        "Redisson multi-lock",
        "getMultiLock over RLocks of five clients, lock(), unlock()",
        EnumSet.of(Trait.WAITS, Trait.HOLDS_MANY),
        Redissons::new);
  }

  static Entry redissonReadWriteLock() {
    return new Entry(
        "redis",
        Kind.PEER,
        "Redisson RReadWriteLock",
        "Redisson.create(useSingleServer), readLock() and writeLock(), lock(), unlock()",
        EnumSet.of(Trait.WAITS, Trait.SHARES),
        Redissons::new);
  }

  /** Its other semaphore never gets back the permits of a holder that dies. */
  static Entry redissonSemaphore() {
    return new Entry(
        "redis",
        Kind.PEER,
        "Redisson RPermitExpirableSemaphore",
        "Redisson.create(useSingleServer), trySetPermits(), acquire(30, SECONDS), release(id)",
        EnumSet.of(Trait.WAITS, Trait.COUNTS),
        Redissons::new);
  }

  /** The same at all servers at once. */
  private static final class Bare implements Contestant {

    private final RedisClient client = RedisClient.create();
    private final List<StatefulRedisConnection<String, String>> connections = new ArrayList<>();
    private final String take;
    private final String giveBack;

    Bare(Address address) {
      for (String uri : address.uris(SCHEME)) {
        connections.add(client.connect(RedisURI.create(uri)));
      }
      connections.forEach(connection -> connection.sync().scriptLoad(GIVE_BACK));
      take = connections.get(0).sync().digest(TAKE);
      giveBack = connections.get(0).sync().digest(GIVE_BACK);
      connections.forEach(connection -> connection.sync().scriptLoad(TAKE));
    }

    @Override
    public Held take(String key) throws Exception {
      String[] keys = {"bare:" + key};
      send(take, ScriptOutputType.STATUS, keys, "somebody", "30000");
      return () -> send(giveBack, ScriptOutputType.INTEGER, keys, "somebody");
    }

    private void send(String digest, ScriptOutputType type, String[] keys, String... arguments)
        throws Exception {
      if (connections.size() == 1) {
        connections.get(0).async().evalsha(digest, type, keys, arguments).get(5, TimeUnit.SECONDS);
        return;
      }
      CompletableFuture<?>[] all = new CompletableFuture<?>[connections.size()];
      for (int i = 0; i < all.length; i++) {
        all[i] =
            connections.get(i).async().evalsha(digest, type, keys, arguments).toCompletableFuture();
      }
      CompletableFuture.allOf(all).get(5, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
      client.shutdown();
    }
  }

  private static final class Redissons implements Contestant {

    private static final long LEASE_SECONDS = 30;

    private final List<RedissonClient> clients = new ArrayList<>();
    private final Map<String, RPermitExpirableSemaphore> semaphores = new ConcurrentHashMap<>();

    Redissons(Address address) {
      for (String uri : address.uris(SCHEME)) {
        Config config = new Config();
        config.useSingleServer().setAddress(uri);
        clients.add(Redisson.create(config));
      }
    }

    @Override
    public Held take(String key) {
      RLock[] locks = clients.stream().map(client -> client.getLock(key)).toArray(RLock[]::new);
      RLock lock = locks.length == 1 ? locks[0] : clients.get(0).getMultiLock(locks);
      lock.lock();
      return lock::unlock;
    }

    @Override
    public Held takeAll(List<String> keys) {
      RLock lock =
          clients
              .get(0)
              .getMultiLock(
                  keys.stream().map(key -> clients.get(0).getLock(key)).toArray(RLock[]::new));
      lock.lock();
      return lock::unlock;
    }

    @Override
    public Held takeRead(String key) {
      RLock lock = clients.get(0).getReadWriteLock(key).readLock();
      lock.lock();
      return lock::unlock;
    }

    @Override
    public Held takeWrite(String key) {
      RLock lock = clients.get(0).getReadWriteLock(key).writeLock();
      lock.lock();
      return lock::unlock;
    }

    @Override
    public Held takePermit(String key, int permits) throws InterruptedException {
      RPermitExpirableSemaphore semaphore =
          semaphores.computeIfAbsent(key, name -> semaphore(name, permits));
      String id = semaphore.acquire(LEASE_SECONDS, TimeUnit.SECONDS);
      return () -> semaphore.release(id);
    }

    private RPermitExpirableSemaphore semaphore(String key, int permits) {
      RPermitExpirableSemaphore semaphore = clients.get(0).getPermitExpirableSemaphore(key);
      semaphore.trySetPermits(permits);
      return semaphore;
    }

    @Override
    public void close() {
      clients.forEach(RedissonClient::shutdown);
    }
  }
}
