/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.WatchGrpc;
import io.grpc.ManagedChannel;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.Member;
import io.holdfast.lock.etcd.client.Watches;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Tests for how long waiters sleep when the stream of their watches has broken. */
class WatchPausesTest {

  private static final ByteString KEY = ByteString.copyFromUtf8("key");
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

  /** Longer than any pause, and long enough for a stream to have lasted. */
  private static final Duration LONG = Duration.ofSeconds(5);

  /** Remembers for how long tasks were put off. */
  private static final class PutOff implements TimeSource {

    private final LaterTime time = new LaterTime();
    private final List<Duration> delays = new CopyOnWriteArrayList<>();

    @Override
    public long nanos() {
      return time.nanos();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
      delays.add(delay);
      return time.schedule(delay, task);
    }

    @Override
    public void close() {
      time.close();
    }
  }

  /** Streams may break now and then for as long as a client lives. */
  @Test
  void aStreamThatHasLastedIsFollowedByTheShortestPause() {
    PutOff time = new PutOff();
    try (EtcdHarness scene = new EtcdHarness()) {
      ThrowingCalls throwing = new ThrowingCalls(WatchGrpc.getWatchMethod());
      ManagedChannel channel = scene.channel(throwing);
      Watches watches =
          new Watches(
              new EtcdConnection(
                  List.of(Member.borrowed(channel)), Optional.empty(), Duration.ofSeconds(5)),
              time);
      for (int i = 0; i < 8; i++) {
        watches.on(KEY, 0, () -> {});
        time.time.pass(LONG);
      }
      throwing.end();
      watches.on(KEY, 0, () -> {});
      time.time.pass(LONG);
      int before = time.delays.size();
      channel.shutdownNow();
      until("the end of the stream", () -> time.delays.size() > before);
      assertEquals(FIRST_PAUSE, time.delays.get(before));
      watches.close();
    } finally {
      time.close();
    }
  }
}
