/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.session;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session that a Curator client has now. Curator replaces the handle, and so the session, when
 * one has ended.
 *
 * <p>A release that failed for want of a connection is made good when there is one again, for as
 * long as that takes: a session that lives on keeps its nodes, and no TTL removes them.
 */
public final class CurrentSession implements ConnectionStateListener {

  private static final Logger LOG = LoggerFactory.getLogger(CurrentSession.class);

  private final CuratorFramework client;
  private final AtomicReference<@Nullable ZooKeeperSession> current = new AtomicReference<>();
  private final Set<SessionMember> unfinished = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  public CurrentSession(CuratorFramework client) {
    this.client = client;
    client.getConnectionStateListenable().addListener(this);
  }

  /**
   * The session, if requests can be sent now. Never blocks and queues nothing.
   *
   * @param operation what needs it, for messages
   * @throws LockException if there is no connection
   */
  public ZooKeeperSession connected(Supplier<String> operation) {
    ZooKeeperSession session = look();
    if (session != null && session.isConnected()) {
      return session;
    }
    if (session != null && session.isRefused()) {
      throw new LockRejectedException(
          operation.get() + ": ZooKeeper does not accept the identity; check the setting 'auth'");
    }
    throw new LockUnavailableException(
        operation.get() + ": there is no connection to ZooKeeper now; the client keeps trying");
  }

  /** The servers that can be asked without TLS. */
  public List<InetSocketAddress> plainServers() {
    ZooKeeperSession session = look();
    if (session == null || session.isSecure()) {
      return List.of();
    }
    String connect = client.getZookeeperClient().getCurrentConnectionString();
    return List.copyOf(new ConnectStringParser(connect).getServerAddresses());
  }

  /** A claim that may have something at the server. */
  public void began(SessionMember member) {
    unfinished.add(member);
  }

  /** A claim that has nothing at the server any more. */
  public void finished(SessionMember member) {
    unfinished.remove(member);
    if (closed && unfinished.isEmpty()) {
      client.getConnectionStateListenable().removeListener(this);
    }
  }

  /**
   * Lets go of the client. If a claim could not be released because the server was away, a listener
   * stays until it has been: the session of a borrowed client may live on, and its nodes with it.
   */
  public void close() {
    closed = true;
    if (unfinished.isEmpty()) {
      client.getConnectionStateListenable().removeListener(this);
    }
  }

  @Override
  public void stateChanged(CuratorFramework curator, ConnectionState state) {
    ZooKeeperSession before = current.get();
    if (before != null) {
      before.fastPath().forget();
      if (!before.hasEnded() && state.isConnected()) {
        before.shortened();
      }
    }
    if (state.isConnected()) {
      look();
      unfinished.forEach(SessionMember::reconnected);
    }
  }

  private @Nullable ZooKeeperSession look() {
    while (true) {
      // Read before the handle is, so that an older handle never replaces a newer one.
      ZooKeeperSession known = current.get();
      // Curator closes a handle before it replaces it.
      if (known != null && !known.hasEnded()) {
        return known;
      }
      ZooKeeper handle = handle();
      if (handle == null || (known != null && known.isOf(handle))) {
        return known;
      }
      ZooKeeperSession fresh = new ZooKeeperSession(handle);
      if (current.compareAndSet(known, fresh)) {
        return fresh;
      }
    }
  }

  /**
   * Curator's handle, whose own state tells whether it is connected. Curator's opinion does not:
   * the last event of an old handle may come after the first of the new one, and Curator then takes
   * itself for disconnected.
   */
  private @Nullable ZooKeeper handle() {
    try {
      return client.getZookeeperClient().getZooKeeper();
    } catch (Exception e) {
      // A failure in the background some time ago; a caller that needs a connection finds none.
      LOG.debug("The Curator client has no handle", e);
      return null;
    }
  }
}
