/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.client;

import io.holdfast.lock.LockConfigurationException;
import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads addresses: of a server, or of the sentinels that know it. */
public final class RedisAddress {

  private static final Pattern HOST = Pattern.compile("[^\\s:@/]+|\\[?[0-9A-Fa-f:.]+(%\\w+)?]?");

  /** An at sign stands in the authority only, and a fragment only names a master. */
  private static final Pattern PLAIN =
      Pattern.compile(
          "rediss?://[^/?#]*(/[^?#@]*)?(\\?[^#@]*)?"
              + "|rediss?-sentinel://[^/?#]*(/[^?#@]*)?(\\?[^#@]*)?#[^/?#@]+");

  private static final Pattern CLUSTER =
      Pattern.compile("(rediss?)-cluster(://(?:[^/?#]*@)?)([^/?#@]+)(.*)");

  private RedisAddress() {}

  static boolean isCluster(String text) {
    return CLUSTER.matcher(text).matches();
  }

  /** The addresses of a cluster's servers one by one, or the one address that it is. */
  static List<String> split(String text) {
    Matcher cluster = CLUSTER.matcher(text);
    if (!cluster.matches()) {
      return List.of(text);
    }
    return Pattern.compile("\\s*,\\s*")
        .splitAsStream(cluster.group(3))
        .map(host -> cluster.group(1) + cluster.group(2) + host + cluster.group(4))
        .toList();
  }

  static RedisURI parse(String key, String place, String text) {
    // In a password, / ? # and @ end the authority, and what is before them becomes a host name,
    // which is shown and looked up. They have to be percent-encoded.
    if (!PLAIN.matcher(text).matches()) {
      throw bad(key, place, text);
    }
    try {
      RedisURI uri = RedisURI.create(text);
      List<RedisURI> hosts = uri.getSentinels().isEmpty() ? List.of(uri) : uri.getSentinels();
      for (RedisURI host : hosts) {
        // Lettuce takes text that is not a port number for a part of the host's name.
        if (host.getHost() == null || !HOST.matcher(host.getHost()).matches()) {
          throw bad(key, place, text);
        }
      }
      if (!uri.isVerifyPeer() || hosts.stream().anyMatch(host -> !host.isVerifyPeer())) {
        throw new LockConfigurationException(
            "Setting '"
                + key
                + "'"
                + place
                + " has verifyPeer=NONE, which accepts any server; remove it, and name the"
                + " certificate of the server's authority with 'tls-truststore'");
      }
      return uri;
    } catch (IllegalArgumentException e) {
      // Neither the text nor the cause, which quotes it: it may hold a password.
      throw bad(key, place, text);
    }
  }

  /**
   * The same address, of which another sentinel is asked first. Shares nothing with the other.
   *
   * @param uri the other
   * @param by how many sentinels are asked later
   * @return a copy
   */
  public static RedisURI rotated(RedisURI uri, int by) {
    List<RedisURI> sentinels = new ArrayList<>(uri.getSentinels());
    if (sentinels.isEmpty()) {
      return RedisURI.builder(uri).build();
    }
    Collections.rotate(sentinels, -by);
    // The builder does not copy these by itself.
    RedisURI.Builder copy = RedisURI.builder(uri).withSentinelMasterId(uri.getSentinelMasterId());
    sentinels.forEach(sentinel -> copy.withSentinel(RedisURI.builder(sentinel).build()));
    return copy.build();
  }

  private static LockConfigurationException bad(String key, String place, String text) {
    return new LockConfigurationException(
        "Setting '"
            + key
            + "'"
            + place
            + (text.startsWith("redis")
                ? ""
                : " does not begin with redis:// or a similar scheme; it")
            + " must be redis://[[user:]password@]host[:port][/database], or "
            + "redis-sentinel://[[user:]password@]host[:port][,host2[:port2]...][/database]#master, "
            + "redis-cluster://[[user:]password@]host[:port][,host2[:port2]...], "
            + "or the same with rediss for TLS; write / ? # and @ in a password as %2F %3F %23 "
            + "and %40");
  }
}
