/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the answers of servers: a refusal ends a caller's wait, an outage does not. */
class RedisFailuresTest {

  private static CompletionException answered(String answer) {
    return new CompletionException(new RedisCommandExecutionException(answer));
  }

  private static LockException typed(String answer) {
    return RedisFailures.typed("Acquiring lock 'a'", answered(answer));
  }

  @Test
  void causesThatGoRoundInACircleAreAnOutage() {
    IOException inner = new IOException("inner");
    IOException outer = new IOException("outer", inner);
    inner.initCause(outer);
    assertInstanceOf(LockUnavailableException.class, RedisFailures.typed("Asking", outer));
    assertFalse(RedisFailures.isCutShort(outer));
    assertFalse(RedisFailures.isWrongType(outer));
  }

  @Test
  void somethingElseAtAKeyIsToldFromOtherAnswers() {
    assertTrue(RedisFailures.isWrongType(answered("WRONGTYPE Operation against a key")));
    assertFalse(RedisFailures.isWrongType(answered("NOPERM this user has no permissions")));
  }

  @Test
  void aConnectionThatEndedBeforeItWasReadyIsCutShort() {
    assertTrue(
        RedisFailures.isCutShort(
            new CompletionException(
                new RedisConnectionException("Connection closed prematurely"))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "OOM command not allowed when used memory > 'maxmemory'.",
        "READONLY You can't write against a read only replica.",
        "LOADING Redis is loading the dataset in memory",
        "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
        "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist",
        "CLUSTERDOWN Hash slot not served",
        "MOVED 3999 127.0.0.1:6381",
        "ASK 3999 127.0.0.1:6381",
        "TRYAGAIN Multiple keys request during rehashing of slot",
        "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
        "ERR Error running script (call to f_0): @user_script:1: @user_script: 1: -OOM command not",
        "ERR Error running script (call to f_0): @user_script:1: -OOM command not allowed"
      })
  void aPassingFailureIsAnOutageAndItsReasonIsTold(String answer) {
    LockException told = typed(answer);
    assertEquals(LockUnavailableException.class, told.getClass());
    String message = String.valueOf(told.getMessage());
    assertTrue(message.startsWith("Acquiring lock 'a' failed: "), message);
    assertFalse(message.contains("Redis answered"), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WRONGPASS invalid username-password pair or user is disabled.",
        "NOAUTH Authentication required.",
        "NOPERM User app has no permissions to run the 'evalsha' command",
        "ERR The user executing the script can't run this command or subcommand script: f_0",
        "ERR Error running script (call to f_0): @user_script:1: @user_script: 1: "
            + "The user executing the script can't run this command or subcommand",
        "ERR Error running script (call to f_0): @user_script:11: user_script:11: WRONGTYPE the",
        "ERR user_script:11: WRONGTYPE the list has something else script: 0, on @user_script:11.",
        "WRONGTYPE Operation against a key holding the wrong kind of value",
        "CROSSSLOT Keys in request don't hash to the same slot",
        "ERR DB index is out of range",
        "BADCOUNTER the token counter was overwritten"
      })
  void anErrorThatSomebodyHasToFixIsARefusal(String answer) {
    LockException told = typed(answer);
    assertEquals(LockRejectedException.class, told.getClass());
    String message = String.valueOf(told.getMessage());
    assertTrue(message.startsWith("Acquiring lock 'a' was refused: "), message);
  }

  @Test
  void anAnswerThatIsNotKnownMayPassAndIsTold() {
    LockException told = typed("NOREPLICAS Not enough good replicas to write.");
    assertEquals(LockUnavailableException.class, told.getClass());
    assertEquals(
        "Acquiring lock 'a' failed: Redis answered NOREPLICAS", String.valueOf(told.getMessage()));
  }

  @Test
  void theNameOfAUserSaysNotWhatHappened() {
    String answer = "NOPERM User READONLY has no permissions to run the 'evalsha' command";
    LockException told = typed(answer);
    assertEquals(LockRejectedException.class, told.getClass());
    assertTrue(String.valueOf(told.getMessage()).contains("lacks a permission"), told.getMessage());
    assertFalse(RedisFailures.endsLine(answered(answer)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ERR unknown command 'EVALSHA', with args beginning with: 'lock:MOVED 1 elsewhere:6379 ' ",
        "ERR Error running script (call to f_0): @user_script:1: no NOAUTH here"
      })
  void textOfTheRequestDoesNotDecideTheKindOfFailure(String answer) {
    LockException told = typed(answer);
    assertEquals(LockUnavailableException.class, told.getClass());
    assertEquals(
        "Acquiring lock 'a' failed: Redis answered ERR", String.valueOf(told.getMessage()));
    assertEquals(Optional.empty(), RedisFailures.movedTo(answered(answer)));
  }

  @Test
  void aClusterTellsWhoHasAKeyNow() {
    RedisURI heir = RedisFailures.movedTo(answered("MOVED 3999 10.0.0.7:6381")).orElseThrow();
    assertEquals("10.0.0.7:6381", RedisFailures.where(heir));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "READONLY You can't write against a read only replica.",
        "ERR Error running script (call to f_0): @user_script:1: -READONLY You can't write"
      })
  void theConnectionToAReplicaIsGivenUpThoughItAnswers(String answer) {
    assertTrue(RedisFailures.isAnswer(answered(answer)));
    assertTrue(RedisFailures.endsLine(answered(answer)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LOADING Redis is loading the dataset in memory",
        "OOM command not allowed when used memory > 'maxmemory'.",
        "NOPERM User app has no permissions to run the 'ping' command",
        "WRONGTYPE Operation against a key holding the wrong kind of value"
      })
  void anyOtherAnswerLeavesTheConnection(String answer) {
    assertFalse(RedisFailures.endsLine(answered(answer)));
  }

  @Test
  void silenceIsNoAnswerAndEndsTheConnection() {
    for (RuntimeException silence :
        new RuntimeException[] {
          new RedisCommandTimeoutException("no answer"), new RedisConnectionException("broken")
        }) {
      CompletionException failure = new CompletionException(silence);
      assertFalse(RedisFailures.isAnswer(failure));
      assertTrue(RedisFailures.endsLine(failure));
      assertEquals(
          LockUnavailableException.class,
          RedisFailures.typed("Acquiring lock 'a'", failure).getClass());
    }
  }
}
