/**
 * Locks on ZooKeeper: provider {@code zookeeper}, or {@link
 * io.holdfast.lock.zookeeper.ZooKeeperLocks} for a ready Curator client.
 */
@NullMarked
package io.holdfast.lock.zookeeper;

import org.jspecify.annotations.NullMarked;
