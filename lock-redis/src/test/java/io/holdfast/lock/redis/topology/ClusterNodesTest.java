/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.TimeSource;
import io.holdfast.lock.redis.client.OpeningSteps;
import io.holdfast.lock.redis.client.RedisConfig;
import io.holdfast.lock.redis.node.RedisNode;
import io.holdfast.lock.spi.Settings;
import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests which servers a client of a cluster keeps, of those that it was told. None can be reached.
 */
class ClusterNodesTest {

  private static final ClusterView MAP = new ClusterView(true, 1, List.of(), Set.of("a"));
  private static final Duration MOMENT = Duration.ofSeconds(1);

  /** Is moved by hand; what is scheduled is only noted. */
  private static final class SetTime implements TimeSource {
    private long now;
    private final List<Runnable> scheduled = new ArrayList<>();

    @Override
    public long nanos() {
      return now;
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
      scheduled.add(task);
      return () -> {};
    }

    @Override
    public void close() {}
  }

  private final SetTime time = new SetTime();
  private int tries;
  private final RedisClient client =
      new RedisClient(null, new RedisURI()) {
        @Override
        public <K, V> ConnectionFuture<StatefulRedisConnection<K, V>> connectAsync(
            RedisCodec<K, V> codec, RedisURI uri) {
          tries++;
          throw new IllegalStateException("nobody is there");
        }
      };
  private final ClusterNodes nodes =
      new ClusterNodes(
          RedisConfig.from(new Settings("redis", Map.of("uri", "redis-cluster://127.0.0.1:1"))),
          client,
          time);

  @AfterEach
  void end() {
    OpeningSteps.shutDown(client);
  }

  private void mapNames(RedisNode... owners) {
    nodes.take(MAP, Set.of(owners));
  }

  private void pass(Duration span) {
    time.now += span.toNanos();
  }

  @Test
  void aServerThatHasBeenGoneForLongIsForgotten() {
    RedisNode stays = nodes.at("127.0.0.1", 2);
    RedisNode gone = nodes.at("127.0.0.1", 3);
    gone.start();
    pass(ClusterNodes.REMEMBERED);
    mapNames(stays, gone);
    pass(ClusterNodes.REMEMBERED);
    mapNames(stays);
    pass(ClusterNodes.REMEMBERED.minus(MOMENT));
    mapNames(stays);
    assertEquals(3, nodes.all().size(), "it may only have been replaced for a while");
    pass(MOMENT);
    mapNames(stays);
    assertFalse(nodes.all().contains(gone));
    assertTrue(nodes.all().contains(stays));
    assertEquals(2, nodes.all().size(), "the one that was configured stays");
    List.copyOf(time.scheduled).forEach(Runnable::run);
    assertEquals(1, tries, "it is not connected to any more");
  }

  @Test
  void aServerThatIsNamedAgainIsKept() {
    RedisNode back = nodes.at("127.0.0.1", 3);
    mapNames();
    pass(ClusterNodes.REMEMBERED.minus(MOMENT));
    mapNames(back);
    pass(MOMENT);
    mapNames();
    assertTrue(nodes.all().contains(back));
  }
}
