/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.client;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.spi.support.Failures;
import io.holdfast.lock.spi.support.Outage;
import io.holdfast.lock.spi.support.TlsRefusal;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisURI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lettuce's and Redis' errors, by what the caller can do. Messages of the server hold no secrets of
 * ours.
 */
public final class RedisFailures {

  private static final String LACKS_PERMISSION =
      "the user lacks a permission; it needs GET, SET, GETRANGE, DEL, PEXPIRE, PTTL, TIME, "
          + "PUBLISH, SUBSCRIBE, UNSUBSCRIBE, PING, EVAL and EVALSHA on the keys <namespace>:* and "
          + "<namespace>#token* and the channels of the namespace; a rate limiter needs LLEN, "
          + "LINDEX, RPUSH, LTRIM, PEXPIREAT, TIME, PING, EVAL and EVALSHA on the keys "
          + "<namespace>#rate:*; a list of the locks needs SCAN (where <namespace> is the setting "
          + "of that name, lock by default); docs/backends/redis.md has the rules for each use";

  /** Refusals that stay until somebody changes something, by the first words of the answer. */
  private static final Map<String, String> REJECTED =
      Map.of(
          "DB index", "there is no database with this number; see 'databases' in redis.conf",
          "WRONGPASS", "the user name or password is wrong",
          "BADCOUNTER",
              "the token counter was overwritten; make sure that it only grows, or delete it",
          "NOAUTH", "the server asks for a user name or password; set 'username' and 'password'",
          "NOPERM", LACKS_PERMISSION,
          // Said by a command within a script, since Redis 7.
          "The user executing the script", LACKS_PERMISSION,
          "WRONGTYPE", "something else is at this key; remove it, or choose another namespace",
          "CROSSSLOT", "this is a Redis Cluster; begin the uri with redis-cluster://");

  /** Refusals that may pass. */
  private static final Map<String, String> PASSING =
      Map.of(
          "OOM", "the server has no memory left; raise maxmemory or free some",
          "READONLY", "the server is a read-only replica; the primary may have moved",
          "LOADING", "the server is still loading its data",
          "BUSY", "the server is busy with a script",
          "MISCONF", "the server cannot write its data to disk",
          "CLUSTERDOWN", "the cluster is down",
          "MOVED",
              "another server of the cluster has this key now; begin the uri with redis-cluster://",
          "ASK", "this key is being moved to another server of the cluster",
          "TRYAGAIN", "this key is being moved to another server of the cluster",
          "MASTERDOWN", "the replica has lost its primary");

  private static final Pattern MOVED = Pattern.compile("MOVED \\d+ (\\S+):(\\d+)");

  /**
   * The text that a server puts before the error of a script, such as {@code ERR Error running
   * script (call to f_0): @user_script:1: -} before Redis 7, and {@code ERR user_script:1:} since.
   */
  private static final Pattern WHERE_IT_AROSE =
      Pattern.compile("^(ERR )?(Error running script \\(call to [^)]*\\): )?(@?\\w+: ?\\d+: )*-?");

  private RedisFailures() {}

  /**
   * Hosts and ports, and nothing else of the address.
   *
   * @param uri the address
   * @return for messages; holds no secret
   */
  public static String where(RedisURI uri) {
    if (!uri.getSentinels().isEmpty()) {
      return uri.getSentinels().stream().map(RedisFailures::where).collect(Collectors.joining(", "))
          + " (sentinels of "
          + uri.getSentinelMasterId()
          + ")";
    }
    return uri.getSocket() != null ? uri.getSocket() : uri.getHost() + ":" + uri.getPort();
  }

  /**
   * Whether the server has answered, so that the outcome of the command is known.
   *
   * @param failure Lettuce's
   * @return false for silence, or a connection that ended
   */
  public static boolean isAnswer(Throwable failure) {
    return Failures.cause(failure) instanceof RedisCommandExecutionException;
  }

  /**
   * Whether the connection ended before it was ready. Lettuce says that now and then instead of
   * what the server refused; asked again, it says it.
   */
  static boolean isCutShort(Throwable failure) {
    for (Throwable at : Failures.causes(failure)) {
      if ("Connection closed prematurely".equals(at.getMessage())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Which other server of a cluster has the key, if it says so: "MOVED slot host:port".
   *
   * @param failure Lettuce's, or typed already
   * @return its address
   */
  public static Optional<RedisURI> movedTo(Throwable failure) {
    return answer(Failures.cause(failure))
        .map(answer -> MOVED.matcher(String.valueOf(answer.getMessage())))
        .filter(Matcher::lookingAt)
        .map(moved -> RedisURI.create(moved.group(1), Integer.parseInt(moved.group(2))));
  }

  /**
   * Whether the line is of no use any more: silence, or not the server that takes writes.
   *
   * @param failure Lettuce's
   * @return whether it is to be given up
   */
  public static boolean endsLine(Throwable failure) {
    return !isAnswer(failure) || firstWord(Failures.cause(failure)).equals("READONLY");
  }

  /**
   * Whether the server has found something else than a string, or that a script expects, at a key.
   *
   * @param failure Lettuce's, or typed already
   * @return false for any other
   */
  public static boolean isWrongType(Throwable failure) {
    return answer(failure).filter(said -> firstWord(said).equals("WRONGTYPE")).isPresent();
  }

  /**
   * The failure as callers are to see it.
   *
   * @param operation what was tried; the beginning of the message
   * @param failure Lettuce's, or typed already
   * @return by what the caller can do
   */
  public static LockException typed(String operation, Throwable failure) {
    Throwable cause = Failures.cause(failure);
    if (cause instanceof LockException known) {
      return known;
    }
    Optional<Throwable> answer = answer(cause);
    if (answer.isPresent()) {
      String word = firstWord(answer.get());
      String rejected = REJECTED.get(word);
      if (rejected != null) {
        String said =
            rejected.equals(LACKS_PERMISSION) ? " (" + answer.get().getMessage() + ")" : "";
        return new LockRejectedException(operation + " was refused: " + rejected + said, cause);
      }
      String passing = PASSING.get(word);
      return new LockUnavailableException(
          operation + " failed: " + (passing != null ? passing : "Redis answered " + word), cause);
    }
    if (cause instanceof RedisCommandTimeoutException || cause instanceof TimeoutException) {
      return new LockUnavailableException(
          operation + " failed: Redis did not answer in time", cause);
    }
    if (TlsRefusal.ofServer(cause)) {
      return new LockRejectedException(
          operation
              + " was refused by this client: the server's certificate is not trusted, or is for another "
              + "host; set 'tls-truststore' to one with the certificate of its authority",
          cause);
    }
    if (TlsRefusal.ofClient(cause)) {
      return new LockRejectedException(
          operation
              + " was refused: the server does not accept our certificate, or there is none; set"
              + " 'tls-keystore' to one that was signed by an authority which the server trusts",
          cause);
    }
    return new LockUnavailableException(
        operation
            + " failed: Redis cannot be reached"
            + Outage.reason(cause)
                .or(() -> foreign(cause))
                .map(reason -> " (" + reason + ")")
                .orElse("")
            + "; check the address, and whether the server expects TLS (rediss://)",
        cause);
  }

  /** By name and text: the class is none of the older ones of Lettuce. */
  private static Optional<String> foreign(Throwable failure) {
    for (Throwable at : Failures.causes(failure)) {
      if (at.getClass().getSimpleName().equals("RedisProtocolException")
          || String.valueOf(at.getMessage()).startsWith("Invalid first byte")) {
        return Optional.of(Outage.foreign("Redis"));
      }
    }
    return Optional.empty();
  }

  /** The server's own answer, which Lettuce may wrap while it connects. */
  private static Optional<Throwable> answer(Throwable failure) {
    for (Throwable at : Failures.causes(failure)) {
      if (at instanceof RedisCommandExecutionException) {
        return Optional.of(at);
      }
    }
    return Optional.empty();
  }

  /**
   * Says what kind of error it is. The text behind it may have words of others: users' names, or
   * the parts of a request.
   */
  private static String firstWord(Throwable answer) {
    String message = String.valueOf(answer.getMessage());
    String error = WHERE_IT_AROSE.matcher(message).replaceFirst("");
    int blank = message.indexOf(' ');
    return Stream.of(REJECTED, PASSING)
        .flatMap(known -> known.keySet().stream())
        .filter(word -> error.startsWith(word + " "))
        .findFirst()
        .orElse(blank < 0 ? message : message.substring(0, blank));
  }
}
