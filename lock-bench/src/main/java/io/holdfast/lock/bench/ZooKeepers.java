/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.bench.Entry.Kind;
import io.holdfast.lock.bench.Entry.Trait;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.apache.curator.framework.recipes.locks.InterProcessMultiLock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreMutex;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/** ZooKeeper: create and delete, and Curator's recipes. */
final class ZooKeepers {

  private static final byte[] DATA =
      "somebody-12345-0123456789ABCDEF-1".getBytes(StandardCharsets.UTF_8);

  private static final String CURATOR =
      "CuratorFrameworkFactory.newClient with ExponentialBackoffRetry(1000, 3)";

  private ZooKeepers() {}

  static Map<String, String> settings(Address address) {
    return Map.of("connect", address.first());
  }

  static Entry limit() {
    return new Entry(
        "zookeeper",
        Kind.LIMIT,
        "create + delete",
        "ZooKeeper's client, one session, ephemeral sequential node",
        Set.of(),
        Bare::new);
  }

  static Entry mutex() {
    return recipe("Curator InterProcessMutex", InterProcessMutex::new);
  }

  static Entry semaphoreMutex() {
    return recipe("Curator InterProcessSemaphoreMutex", InterProcessSemaphoreMutex::new);
  }

  static Entry readWriteLock() {
    return new Entry(
        "zookeeper",
        Kind.PEER,
        "Curator InterProcessReadWriteLock",
        CURATOR,
        EnumSet.of(Trait.WAITS, Trait.SHARES),
        address -> new Recipe(curator(address), "/shared", InterProcessMutex::new));
  }

  static Entry semaphore() {
    return new Entry(
        "zookeeper",
        Kind.PEER,
        "Curator InterProcessSemaphoreV2",
        CURATOR,
        EnumSet.of(Trait.WAITS, Trait.COUNTS),
        address -> new Recipe(curator(address), "/counted", InterProcessMutex::new));
  }

  static CuratorFramework curator(Address address) throws InterruptedException {
    CuratorFramework curator =
        CuratorFrameworkFactory.newClient(address.first(), new ExponentialBackoffRetry(1_000, 3));
    curator.start();
    curator.blockUntilConnected();
    return curator;
  }

  private static Entry recipe(
      String name, BiFunction<CuratorFramework, String, InterProcessLock> maker) {
    return new Entry(
        "zookeeper",
        Kind.PEER,
        name,
        CURATOR,
        EnumSet.of(Trait.WAITS, Trait.HOLDS_MANY, Trait.TAKES_SEVERAL),
        address -> new Recipe(curator(address), "/" + name.replace(' ', '-'), maker));
  }

  private static final class Bare implements Contestant {

    private final CuratorFramework curator;
    private final ZooKeeper zookeeper;
    private final Set<String> parents = ConcurrentHashMap.newKeySet();

    Bare(Address address) throws Exception {
      curator = curator(address);
      zookeeper = curator.getZookeeperClient().getZooKeeper();
    }

    @Override
    public Held take(String key) throws Exception {
      String parent = "/bare-" + key;
      if (parents.add(parent)) {
        create(parent);
      }
      String node =
          zookeeper.create(
              parent + "/x", DATA, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
      return () -> zookeeper.delete(node, -1);
    }

    private void create(String parent) throws Exception {
      try {
        zookeeper.create(parent, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      } catch (KeeperException.NodeExistsException e) {
        // As good.
      }
    }

    @Override
    public void close() {
      curator.close();
    }
  }

  private static final class Recipe implements Contestant {

    private final CuratorFramework curator;
    private final String root;
    private final BiFunction<CuratorFramework, String, InterProcessLock> maker;
    private final Map<String, InterProcessLock> locks = new ConcurrentHashMap<>();
    private final Map<String, InterProcessReadWriteLock> readWriteLocks = new ConcurrentHashMap<>();
    private final Map<String, InterProcessSemaphoreV2> semaphores = new ConcurrentHashMap<>();

    Recipe(
        CuratorFramework curator,
        String root,
        BiFunction<CuratorFramework, String, InterProcessLock> maker) {
      this.curator = curator;
      this.root = root;
      this.maker = maker;
    }

    @Override
    public Held take(String key) throws Exception {
      return take(lock(key));
    }

    /** In the order in which they are given, which has to be one for all. */
    @Override
    public Held takeAll(List<String> keys) throws Exception {
      return take(new InterProcessMultiLock(keys.stream().map(this::lock).toList()));
    }

    private InterProcessLock lock(String key) {
      return locks.computeIfAbsent(key, name -> maker.apply(curator, root + "/" + name));
    }

    @Override
    public Held takeRead(String key) throws Exception {
      return take(readWriteLock(key).readLock());
    }

    @Override
    public Held takeWrite(String key) throws Exception {
      return take(readWriteLock(key).writeLock());
    }

    private InterProcessReadWriteLock readWriteLock(String key) {
      return readWriteLocks.computeIfAbsent(
          key, name -> new InterProcessReadWriteLock(curator, root + "/" + name));
    }

    @Override
    public Held takePermit(String key, int permits) throws Exception {
      InterProcessSemaphoreV2 semaphore =
          semaphores.computeIfAbsent(
              key, name -> new InterProcessSemaphoreV2(curator, root + "/" + name, permits));
      Lease lease = semaphore.acquire();
      return () -> semaphore.returnLease(lease);
    }

    private static Held take(InterProcessLock lock) throws Exception {
      lock.acquire();
      return lock::release;
    }

    @Override
    public void close() {
      curator.close();
    }
  }
}
