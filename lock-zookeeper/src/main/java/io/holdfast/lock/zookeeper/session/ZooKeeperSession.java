/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.session;

import io.holdfast.lock.zookeeper.queue.QueueListing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One ZooKeeper handle, which is one session, and the requests that are made through it.
 *
 * <p>The raw handle is used, and not Curator's operations: each request is sent once, in the order
 * of the calls, and is never repeated behind our back. Requests of a session are carried out in the
 * order in which they were sent, also when the connection moves to another server: a request that
 * is still on its way through the old server is refused by the leader once the session has moved.
 */
public final class ZooKeeperSession {

  /**
   * A node that was made.
   *
   * @param czxid the transaction that made it
   * @param writes how many transactions of this session had succeeded and been answered by then,
   *     this one included
   */
  public record Node(String path, long czxid, long writes) {

    public String name() {
      return path.substring(path.lastIndexOf('/') + 1);
    }

    /**
     * The number that the server put at the end of the name: how many nodes were made there before.
     */
    int sequence() {
      return QueueListing.sequence(name()).orElseThrow();
    }
  }

  private final ZooKeeper handle;
  private final Set<SessionMember> members = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicInteger counted = new AtomicInteger();
  private final AtomicLong writes = new AtomicLong();
  private final ReacquireFastPath fastPath = new ReacquireFastPath();
  private final DelayedWatches delayedWatches = new DelayedWatches(this);

  ZooKeeperSession(ZooKeeper handle) {
    this.handle = handle;
  }

  @SuppressWarnings("ReferenceEquality") // A handle is a session, and equals only itself.
  boolean isOf(ZooKeeper other) {
    return handle == other;
  }

  boolean isConnected() {
    return !ended.get() && handle.getState().isConnected();
  }

  boolean isSecure() {
    return handle.getClientConfig().getBoolean(ZKClientConfig.SECURE_CLIENT);
  }

  /** Whether the server does not accept who we say that we are. */
  boolean isRefused() {
    return handle.getState() == ZooKeeper.States.AUTH_FAILED;
  }

  /** Ends this session if the client knows that it is over. */
  public boolean hasEnded() {
    if (!handle.getState().isAlive()) {
      end();
    }
    return ended.get();
  }

  /** Tells every claim of this session, once. */
  void end() {
    if (ended.compareAndSet(false, true)) {
      members.forEach(member -> member.ended(this));
    }
  }

  public void add(SessionMember member) {
    members.add(member);
    if (ended.get()) {
      member.ended(this);
    }
  }

  public void remove(SessionMember member) {
    members.remove(member);
  }

  public ReacquireFastPath fastPath() {
    return fastPath;
  }

  /** See {@link DelayedWatches}. */
  public void watchSoon(SessionMember member) {
    delayedWatches.add(member);
  }

  /** The time-out that the server granted, whatever was asked for. */
  public Duration timeout() {
    return Duration.ofMillis(handle.getSessionTimeout());
  }

  /**
   * For how long a lease may count on the session, from before a request that proves that it lives
   * and until {@link #shortened()}: two thirds of the time-out. The backend says why.
   */
  public Duration leaseTime() {
    int now = handle.getSessionTimeout();
    counted.accumulateAndGet(now, Math::max);
    return Duration.ofMillis(now).multipliedBy(2).dividedBy(3);
  }

  /**
   * Ends the leases that were counted on a longer time-out than the server grants now: it
   * negotiates anew at each connection, and another server, or the same with another configuration,
   * may keep the session for less.
   */
  public void shortened() {
    int now = handle.getSessionTimeout();
    int before = counted.get();
    if (now > 0 && now < before && counted.compareAndSet(before, now)) {
      members.forEach(member -> member.ended(this));
    }
  }

  public CompletableFuture<Node> createSequential(String path, byte[] data, List<ACL> acl) {
    CompletableFuture<Node> created = new CompletableFuture<>();
    handle.create(
        path,
        data,
        acl,
        CreateMode.EPHEMERAL_SEQUENTIAL,
        (code, asked, context, name, stat) -> {
          if (succeeded(code, asked, created)) {
            created.complete(new Node(name, stat.getCzxid(), writes.incrementAndGet()));
          }
        },
        null);
    return created;
  }

  /** Makes a container node, unless there is a node already. */
  CompletableFuture<Void> createContainer(String path, List<ACL> acl) {
    CompletableFuture<Void> created = new CompletableFuture<>();
    handle.create(
        path,
        new byte[0],
        acl,
        CreateMode.CONTAINER,
        (code, asked, context, name, stat) -> {
          if (code == Code.NODEEXISTS.intValue()) {
            created.complete(null);
          } else if (succeeded(code, asked, created)) {
            writes.incrementAndGet();
            created.complete(null);
          }
        },
        null);
    return created;
  }

  /** The queue of a lock; one that has no node has nobody in it. */
  public CompletableFuture<QueueListing> children(String path) {
    CompletableFuture<QueueListing> listed = new CompletableFuture<>();
    handle.getChildren(
        path,
        false,
        (int code, String asked, Object context, List<String> names) -> {
          if (code == Code.NONODE.intValue()) {
            listed.complete(new QueueListing(List.of()));
          } else if (succeeded(code, asked, listed)) {
            listed.complete(new QueueListing(names));
          }
        },
        null);
    return listed;
  }

  /**
   * Whether there is a node that we may read. The watcher is set only if there is (one that waits
   * for a node to come would stay at the server for ever).
   */
  public CompletableFuture<Boolean> read(String path, @Nullable Watcher watcher) {
    CompletableFuture<Boolean> read = new CompletableFuture<>();
    handle.getData(
        path,
        watcher,
        (code, asked, context, data, stat) -> {
          if (code == Code.NONODE.intValue()) {
            read.complete(false);
          } else if (succeeded(code, asked, read)) {
            read.complete(true);
          }
        },
        null);
    return read;
  }

  /** The members of the ensemble, as it keeps them itself. */
  public CompletableFuture<byte[]> config() {
    CompletableFuture<byte[]> read = new CompletableFuture<>();
    handle.getConfig(
        null,
        (code, asked, context, data, stat) -> {
          if (succeeded(code, asked, read)) {
            read.complete(data);
          }
        },
        null);
    return read;
  }

  /** The state of a node; needs no right to it. */
  public CompletableFuture<Optional<Stat>> stat(String path) {
    CompletableFuture<Optional<Stat>> known = new CompletableFuture<>();
    handle.exists(
        path,
        false,
        (code, asked, context, stat) -> {
          if (code == Code.NONODE.intValue()) {
            known.complete(Optional.empty());
          } else if (succeeded(code, asked, known)) {
            known.complete(Optional.of(stat));
          }
        },
        null);
    return known;
  }

  /**
   * Has the server catch up with the leader before it carries out what follows on this session. It
   * is no proof of anything ({@link #prove}), and nobody waits for its answer.
   */
  public void sync(String path) {
    handle.sync(path, (code, asked, context) -> {}, null);
  }

  /** Completes with false if there was no such node. */
  public CompletableFuture<Boolean> delete(String path) {
    CompletableFuture<Boolean> deleted = new CompletableFuture<>();
    handle.delete(
        path,
        -1,
        (code, asked, context) -> {
          if (code == Code.NONODE.intValue()) {
            deleted.complete(false);
          } else if (succeeded(code, asked, deleted)) {
            writes.incrementAndGet();
            deleted.complete(true);
          }
        },
        null);
    return deleted;
  }

  /** Makes an ephemeral node and deletes another one, both or none. */
  public CompletableFuture<Void> replace(String old, String path, byte[] data, List<ACL> acl) {
    CompletableFuture<Void> replaced = new CompletableFuture<>();
    handle.multi(
        List.of(Op.create(path, data, acl, CreateMode.EPHEMERAL), Op.delete(old, -1)),
        (code, asked, context, results) -> {
          if (succeeded(code, path, replaced)) {
            writes.incrementAndGet();
            replaced.complete(null);
          }
        },
        null);
    return replaced;
  }

  /**
   * A write that changes nothing, which a quorum has to agree to: what follows on this session sees
   * all that was committed before, and the answer proves that the session lived when it was sent.
   * {@code sync} proves neither: a leader that has been replaced without knowing it answers it by
   * itself.
   *
   * @param path of any node; whether it is there makes no difference
   */
  public CompletableFuture<Void> prove(String path) {
    CompletableFuture<Void> proven = new CompletableFuture<>();
    handle.multi(
        List.of(Op.check(path, -1)),
        (code, asked, context, results) -> {
          if (code == Code.NONODE.intValue()) {
            proven.complete(null);
          } else if (succeeded(code, path, proven)) {
            writes.incrementAndGet();
            proven.complete(null);
          }
        },
        null);
    return proven;
  }

  /** Lets go of a watcher. That it was not set any more, or cannot be told now, is no harm. */
  void forget(String path, Watcher watcher) {
    handle.removeWatches(
        path, watcher, Watcher.WatcherType.Data, true, (code, asked, context) -> {}, null);
  }

  /** For watchers to call first: whether the event is about a node, and not the connection. */
  boolean isAboutNode(WatchedEvent event) {
    if (event.getType() != Watcher.Event.EventType.None) {
      return true;
    }
    switch (event.getState()) {
      case Expired, Closed -> end();
      default -> {}
    }
    return false;
  }

  private boolean succeeded(int code, String path, CompletableFuture<?> answer) {
    if (code == Code.OK.intValue()) {
      return true;
    }
    if (code == Code.SESSIONEXPIRED.intValue()) {
      end();
    }
    answer.completeExceptionally(KeeperException.create(Code.get(code), path));
    return false;
  }
}
