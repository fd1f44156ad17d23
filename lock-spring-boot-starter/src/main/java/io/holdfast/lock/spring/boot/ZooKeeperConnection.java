/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.zookeeper.ZooKeeperLocks;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;

/** Over a started client of Curator. */
final class ZooKeeperConnection implements ReadyConnection {

  @Override
  public LockClient open(
      Object bean, String provider, Map<String, String> settings, ClientOptions options) {
    return ZooKeeperLocks.using((CuratorFramework) bean, settings, options);
  }
}
