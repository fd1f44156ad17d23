/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.Share;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests what is undone when a client is closed that still waits for answers. */
class CommandConnectionTest {

  private static final Duration TTL = Duration.ofMinutes(1);

  private final ScriptCalls calls = new ScriptCalls();

  private static LockKeys keys(String key) {
    return LockKeys.tellingAll(key, TokenCounter.exact("lock#token"));
  }

  private void askForLock(String key, int slot) {
    calls.line.calls(slot).ask(new LockCalls.Take(keys(key), "owner of " + key, TTL, false, 0));
  }

  private void askForShare(String key, int slot) {
    Share share = Share.of(2, 5);
    calls
        .line
        .shareCalls(slot)
        .ask(new ShareCalls.Take(keys(key), "owner of " + key, TTL, share, true));
  }

  /** Whatever it was asked for, and in whichever slot of a cluster it is. */
  @Test
  void whatWasAskedForWithoutAnAnswerIsUndone() {
    askForLock("a", 0);
    askForLock("b", 7);
    askForShare("c", 0);
    askForShare("d", 7);
    assertEquals(4, calls.all.size());
    calls.line.undoUnanswered();
    List<ScriptCalls.Call> undone = calls.all.subList(4, calls.all.size());
    assertEquals(
        Map.of("a", "owner of a", "b", "owner of b", "c", "owner of c", "d", "owner of d"),
        undone.stream()
            .collect(Collectors.toMap(call -> call.keys().get(0), call -> call.args().get(0))));
    Map<String, String> scripts =
        undone.stream()
            .collect(Collectors.toMap(call -> call.keys().get(0), ScriptCalls.Call::script));
    assertEquals(scripts.get("a"), scripts.get("b"));
    assertEquals(scripts.get("c"), scripts.get("d"));
    assertEquals(2, scripts.values().stream().distinct().count(), "a share is freed otherwise");
  }

  @Test
  void whatWasAnsweredStays() {
    askForLock("a", 0);
    askForShare("b", 0);
    calls.all.forEach(call -> call.answer().complete(List.of(1L)));
    calls.line.undoUnanswered();
    assertEquals(2, calls.all.size());
  }
}
