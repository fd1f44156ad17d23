/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.config.ScenarioLocks;
import io.holdfast.lock.config.Scenarios;
import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.ZooKeeperServer;
import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.core.env.StandardEnvironment;

/** Locks over what an application has of ZooKeeper and etcd, on real servers. */
class QueueConnectionsTest {

  private final StaticListableBeanFactory beans = new StaticListableBeanFactory();

  private void assertLocks(String provider) throws Exception {
    try (Scenarios scenarios =
        Scenarios.open(
            ApplicationConfig.of(new StandardEnvironment(), beans).config(),
            ClientOptions.defaults())) {
      ScenarioLocks locks = scenarios.forScenario("leader");
      assertEquals(provider, locks.scenario().provider());
      try (Lease lease = locks.lock("name").acquire(Duration.ofSeconds(20))) {
        lease.ensureValid();
      }
    }
  }

  @Test
  void aCuratorClient() throws Exception {
    try (ZooKeeperServer server = ZooKeeperServer.launch(Duration.ofMillis(500));
        CuratorFramework curator =
            CuratorFrameworkFactory.newClient(
                "localhost:" + server.port(), new RetryOneTime(100))) {
      curator.start();
      beans.addBean("curator", curator);
      assertLocks("zookeeper");
    }
  }

  @Test
  void aChannelToEtcd() throws Exception {
    try (EtcdServer server = EtcdServer.launch()) {
      ManagedChannel channel =
          ManagedChannelBuilder.forTarget("dns:///localhost:" + server.port())
              .usePlaintext()
              .build();
      beans.addBean("etcd", channel);
      assertLocks("etcd");
      channel.shutdownNow();
    }
  }
}
