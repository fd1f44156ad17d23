/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests addresses of several servers. */
class RedisAddressTest {

  @Test
  void anotherSentinelIsAskedFirstAndNothingElseChanges() {
    RedisURI uri =
        RedisAddress.parse("uri", "", "redis-sentinel://:secret@a:1,b:2,c:3/4#the-primary");
    RedisURI next = RedisAddress.rotated(uri, 1);
    assertEquals(List.of("b:2", "c:3", "a:1"), sentinels(next));
    assertEquals(sentinels(next), sentinels(RedisAddress.rotated(uri, 4)), "after all, again");
    assertEquals(List.of("a:1", "b:2", "c:3"), sentinels(uri));
    assertEquals("the-primary", next.getSentinelMasterId());
    assertEquals(4, next.getDatabase());
    assertTrue(Arrays.equals("secret".toCharArray(), password(next)));
  }

  @Test
  void aCopyIsChangedAlone() {
    RedisURI uri = RedisAddress.parse("uri", "", "redis-sentinel://a:1,b:2#the-primary");
    RedisURI copy = RedisAddress.rotated(uri, 0);
    Duration other = uri.getTimeout().plusSeconds(1);
    copy.setTimeout(other);
    copy.getSentinels().get(0).setTimeout(other);
    assertNotEquals(other, uri.getTimeout());
    assertNotEquals(other, uri.getSentinels().get(0).getTimeout());
  }

  /** Any of them may be the only one that answers. */
  @Test
  void eachSeedOfAClusterIsReachedAsTheAddressSays() {
    assertEquals(
        List.of("rediss://app:secret@a:1/0?timeout=3s", "rediss://app:secret@b:2/0?timeout=3s"),
        RedisAddress.split("rediss-cluster://app:secret@a:1, b:2/0?timeout=3s"));
    assertEquals(List.of("redis://a:1"), RedisAddress.split("redis-cluster://a:1"));
    assertEquals(List.of("redis://a:1"), RedisAddress.split("redis://a:1"));
  }

  private static List<String> sentinels(RedisURI uri) {
    return uri.getSentinels().stream().map(one -> one.getHost() + ":" + one.getPort()).toList();
  }

  private static char[] password(RedisURI uri) {
    return Objects.requireNonNull(uri.getCredentialsProvider().resolveCredentials().block())
        .getPassword();
  }
}
