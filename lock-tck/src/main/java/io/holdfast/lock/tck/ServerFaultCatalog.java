/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ServerFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The {@link ServerFault}s of servers of a kind, as faults. */
public final class ServerFaultCatalog {

  private static final Duration SHORTEST = Duration.ofMillis(50);
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private ServerFaultCatalog() {}

  /**
   * One fault for each, which strikes some of the servers.
   *
   * @param example tells which there are
   * @param whom follows the name of each, such as {@code " of one node"}
   * @param chosen which servers this time; asked at the beginning of each
   * @param lifetime what keeps the locks of the backend: who needs connections loses locks with
   *     them
   * @return faults
   */
  public static List<NamedFault> of(
      Server example,
      String whom,
      Supplier<? extends List<? extends Server>> chosen,
      Capabilities.Lifetime lifetime) {
    boolean needsConnections = needsConnections(lifetime);
    List<ServerFault> kinds = example.troubles();
    return IntStream.range(0, kinds.size())
        .mapToObj(
            i -> {
              List<ServerFault> now = new ArrayList<>();
              boolean loses = needsConnections && kinds.get(i).endsConnections();
              return new NamedFault(
                  kinds.get(i).name() + whom,
                  SHORTEST,
                  LONGEST,
                  loses ? NamedFault.Loss.CERTAIN : NamedFault.Loss.NONE,
                  () -> {
                    now.clear();
                    chosen.get().forEach(server -> now.add(server.troubles().get(i)));
                    now.forEach(trouble -> trouble.begin().run());
                  },
                  () -> now.forEach(trouble -> trouble.end().run()));
            })
        .toList();
  }

  /**
   * Whether locks end when their connection does: when it breaks, the server may give them to
   * others some milliseconds before their holder hears of it.
   *
   * @param lifetime what keeps the locks of a backend
   * @return whether it is a connection
   */
  public static boolean needsConnections(Capabilities.Lifetime lifetime) {
    return switch (lifetime) {
      case TTL, SESSION -> false;
      case CONNECTION, TRANSACTION -> true;
    };
  }
}
