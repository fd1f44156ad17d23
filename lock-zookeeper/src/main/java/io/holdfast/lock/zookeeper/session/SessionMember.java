/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.session;

/** A user of a session that has a node which the session keeps, and is told what becomes of it. */
public interface SessionMember {

  /** The session has ended, or cannot be counted on any more. On any thread. */
  void ended(ZooKeeperSession over);

  /** It is time to watch the node that this has through the session, if it still matters. */
  void watch(ZooKeeperSession now);

  /** There is a connection again. */
  void reconnected();
}
