/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The stream of watches: who is told by what, and what becomes of them when it ends. */
class WatchStreamsTest {

  private static final ByteString KEY = ByteString.copyFromUtf8("key");

  private final SetTime time = new SetTime();
  private final FakeChannel first = FakeChannel.answering();
  private final FakeChannel second = FakeChannel.answering();
  private final List<Member> members =
      List.of(Member.own(first, true, time), Member.own(second, true, time));
  private final EtcdConnection link =
      new EtcdConnection(members, Optional.empty(), Duration.ofSeconds(60));
  private final Watches watches = new Watches(link, time);
  private final List<String> told = new ArrayList<>();

  private Watches.Watch watch(String name) {
    return watches.on(KEY, 1, () -> told.add(name));
  }

  private static WatchResponse numbered(long id) {
    return WatchResponse.newBuilder().setWatchId(id).setCreated(true).build();
  }

  private static WatchResponse changed(long id) {
    return WatchResponse.newBuilder()
        .setWatchId(id)
        .addEvents(Event.newBuilder().setType(Event.EventType.DELETE))
        .build();
  }

  private static List<Long> cancelled(FakeCall<?, ?> call) {
    return call.sent.stream()
        .map(WatchRequest.class::cast)
        .filter(WatchRequest::hasCancelRequest)
        .map(request -> request.getCancelRequest().getWatchId())
        .toList();
  }

  @Test
  void aWatchTellsOnceAndIsGoneThen() {
    watch("a");
    watch("b");
    FakeCall<?, ?> stream = first.lastCall();
    stream.answer(numbered(0));
    stream.answer(numbered(1));
    stream.answer(changed(1));
    stream.answer(changed(1));
    assertEquals(List.of("b"), told);
    assertEquals(List.of(1L), cancelled(stream));
  }

  @Test
  void aWatchThatIsCancelledTellsNothing() {
    Watches.Watch a = watch("a");
    FakeCall<?, ?> stream = first.lastCall();
    stream.answer(numbered(0));
    watches.cancel(a);
    stream.answer(changed(0));
    assertEquals(List.of(), told);
    assertEquals(List.of(0L), cancelled(stream));
  }

  /** Etcd ends a watch by itself, from a revision that it has compacted, for one. */
  @Test
  void aWatchThatEtcdEndsIsTold() {
    watch("a");
    FakeCall<?, ?> stream = first.lastCall();
    stream.answer(numbered(0));
    stream.answer(WatchResponse.newBuilder().setWatchId(0).setCanceled(true).build());
    assertEquals(List.of("a"), told);
    assertEquals(List.of(), cancelled(stream), "it is gone already");
  }

  @Test
  void anEventThatIsNotEnoughIsNotTold() {
    watches.onChanges(
        KEY,
        ByteString.EMPTY,
        event -> event.getType() == Event.EventType.DELETE,
        1,
        () -> told.add("a"));
    FakeCall<?, ?> stream = first.lastCall();
    stream.answer(numbered(0));
    stream.answer(
        WatchResponse.newBuilder().setWatchId(0).addEvents(Event.getDefaultInstance()).build());
    assertEquals(List.of(), told);
    stream.answer(changed(0));
    assertEquals(List.of("a"), told);
  }

  /** The waiters would otherwise wait until their next poll. */
  @Test
  void allAreToldOfAStreamThatEndsAlsoThoseThatWereNotNumbered() {
    for (Status end : List.of(Status.OK, Status.UNAVAILABLE)) {
      time.now += Duration.ofMinutes(1).toNanos();
      watch("numbered");
      watch("asked");
      first.lastCall().answer(numbered(0));
      first.lastCall().end(end);
      assertEquals(List.of(), told, "not on the thread of the connection");
      time.runTasks();
      assertEquals(List.of("numbered", "asked"), told);
      told.clear();
    }
  }

  /** As for an outdated token: the next stream has another. */
  @Test
  void aWatchThatIsRefusedEndsItsStream() {
    watch("a");
    watch("b");
    FakeCall<?, ?> stream = first.lastCall();
    stream.answer(numbered(0));
    stream.answer(numbered(1).toBuilder().setCanceled(true).build());
    assertTrue(stream.cancelled);
    time.runTasks();
    assertTrue(told.contains("a"), told::toString);
    time.now += Duration.ofMinutes(1).toNanos();
    watch("c");
    assertEquals(2, first.calls.size());
  }

  /** One that is silent may never tell. */
  @Test
  void watchesMoveToTheMemberWhoseTurnItIs() {
    watch("a");
    first.lastCall().answer(numbered(0));
    link.silent(members.get(0));
    watch("b");
    assertTrue(first.lastCall().cancelled);
    assertEquals(1, second.calls.size());
    time.runTasks();
    assertEquals(List.of("a"), told);
  }

  @Test
  void nobodyIsToldOfTheEndOfTheClient() {
    watch("a");
    first.lastCall().answer(numbered(0));
    watches.close();
    assertTrue(first.lastCall().cancelled);
    watch("b");
    time.runTasks();
    assertEquals(List.of(), told);
    assertEquals(1, first.calls.size());
  }
}
