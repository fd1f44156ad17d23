/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests what becomes of locks that were asked for together if their script fails. */
class LockCallsTest {

  private static final TokenCounter COUNTER = TokenCounter.exact("lock#token");

  private final ScriptCalls calls = new ScriptCalls();
  private final LockCalls locks = calls.line.calls(0);

  private CompletableFuture<ClaimAnswer> ask(String key) {
    return locks.ask(
        new LockCalls.Take(
            LockKeys.tellingAll(key, COUNTER), "owner", Duration.ofMinutes(1), false, 0));
  }

  private static <T> T get(CompletableFuture<T> answer) throws Exception {
    return answer.get(30, TimeUnit.SECONDS);
  }

  private static Throwable failure(CompletableFuture<?> answer) {
    return requireNonNull(assertThrows(ExecutionException.class, () -> get(answer)).getCause());
  }

  /** The last ones wait until one of those before them is answered, and go out together. */
  private List<CompletableFuture<ClaimAnswer>> askForTwoTogether() {
    for (int i = 0; i < LockCalls.MOST_UNDER_WAY; i++) {
      ask("before " + i);
    }
    List<CompletableFuture<ClaimAnswer>> together = new ArrayList<>();
    together.add(ask("a"));
    together.add(ask("b"));
    calls.all.get(0).answer().complete(List.of(1L));
    assertEquals(LockCalls.MOST_UNDER_WAY + 1, calls.all.size());
    assertEquals(List.of("a", COUNTER.key(), "b", COUNTER.key()), last().keys());
    return together;
  }

  private ScriptCalls.Call last() {
    return calls.all.get(calls.all.size() - 1);
  }

  /** The user may not touch one of the keys, say, and then the server runs nothing of it. */
  @Test
  void aScriptThatIsRefusedIsSentAgainForEachLock() throws Exception {
    List<CompletableFuture<ClaimAnswer>> together = askForTwoTogether();
    last().answer().completeExceptionally(new RedisCommandExecutionException("NOPERM of the two"));
    List<ScriptCalls.Call> apart =
        calls.all.subList(LockCalls.MOST_UNDER_WAY + 1, calls.all.size());
    assertEquals(
        List.of(List.of("a", COUNTER.key()), List.of("b", COUNTER.key())),
        apart.stream().map(ScriptCalls.Call::keys).toList());
    apart.get(0).answer().complete(List.of(7L));
    apart.get(1).answer().completeExceptionally(new RedisCommandExecutionException("NOPERM of b"));
    assertEquals(new ClaimAnswer.Taken(7), get(together.get(0)));
    assertEquals("NOPERM of b", failure(together.get(1)).getMessage());
    assertEquals(2, apart.size(), "nothing is sent a third time");
  }

  /** It may be carried out still. */
  @Test
  void aScriptThatIsNotAnsweredIsNotSentAgain() {
    List<CompletableFuture<ClaimAnswer>> together = askForTwoTogether();
    last().answer().completeExceptionally(new RedisCommandTimeoutException("no answer"));
    for (CompletableFuture<ClaimAnswer> answer : together) {
      assertInstanceOf(RedisCommandTimeoutException.class, failure(answer));
    }
    assertEquals(LockCalls.MOST_UNDER_WAY + 1, calls.all.size());
  }
}
