/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.ConnectivityState;
import io.holdfast.lock.TimeSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the connection to a member is given up. */
class MemberTest {

  private final TimeSource time = TimeSource.host();
  private final FakeChannel channel = new FakeChannel();
  private final Member member = Member.own(channel, true, time);

  @AfterEach
  void close() {
    time.close();
  }

  /** All locks of a client are on it, and a busy server may be silent once a day. */
  @Test
  void silencesThatAnswersComeBetweenCostNoConnection() {
    channel.changeTo(ConnectivityState.READY);
    for (int i = 0; i < 5; i++) {
      member.silent();
      member.answered();
    }
    assertEquals(0, channel.idled);
    member.silent();
    member.silent();
    assertEquals(1, channel.idled);
  }
}
