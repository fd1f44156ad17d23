/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ConnectivityState;
import org.junit.jupiter.api.Test;

/** Tests when the connection to a member is given up. */
class MemberTest {

  private final SetTime time = new SetTime();
  private final FakeChannel channel = new FakeChannel();
  private final Member member = Member.own(channel, true, time);

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
    member.silent();
    assertEquals(1, channel.idled, "the next one has as many");
  }

  /** One that takes long to be made would never be. */
  @Test
  void aConnectionThatIsBeingMadeIsNotGivenUp() {
    channel.changeTo(ConnectivityState.CONNECTING);
    for (int i = 0; i < 5; i++) {
      member.silent();
    }
    assertEquals(0, channel.idled);
  }

  /** Nothing was asked of it then. */
  @Test
  void aPauseIsNoSilence() {
    for (int i = 0; i < 2; i++) {
      channel.changeTo(ConnectivityState.READY);
      channel.changeTo(ConnectivityState.IDLE);
    }
    assertTrue(member.isPausing());
    member.silent();
    member.silent();
    channel.changeTo(ConnectivityState.READY);
    member.silent();
    assertEquals(0, channel.idled);
  }

  /** It is up to its owner. */
  @Test
  void aBorrowedChannelIsNotGivenUp() {
    FakeChannel borrowed = new FakeChannel();
    borrowed.changeTo(ConnectivityState.READY);
    Member foreign = Member.borrowed(borrowed);
    for (int i = 0; i < 5; i++) {
      foreign.silent();
    }
    foreign.failed();
    assertEquals(0, borrowed.idled);
    assertEquals(0, borrowed.resets);
  }
}
