/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;

/**
 * Who holds which lock, as the servers say: {@code GET /actuator/locks}, {@code GET
 * /actuator/locks/order:7}, and, with {@code management.endpoint.locks.access=unrestricted}, {@code
 * DELETE /actuator/locks/order:7?owner=...} to take a lock from a holder that hangs. The owner is
 * the one that the endpoint has told, so that nobody takes a lock from its next holder.
 */
@Endpoint(id = "locks", defaultAccess = Access.READ_ONLY)
public class LocksEndpoint {

  /** Whoever has more looks with the command line. */
  private static final int LIMIT = 1000;

  private final Supplier<Map<String, LockClient>> clients;

  /**
   * Made by Spring.
   *
   * @param clients by the names of their beans; asked for with each request, as they may not be
   *     connected before
   */
  public LocksEndpoint(Supplier<Map<String, LockClient>> clients) {
    this.clients = clients;
  }

  private Map<String, LockClient> clients() {
    return clients.get();
  }

  /**
   * The locks that are held, at most 1,000 of each client, each with all that hold it.
   *
   * @return by the name of the client's bean
   */
  @ReadOperation
  public Map<String, List<Held>> locks() {
    Map<String, List<Held>> all = new LinkedHashMap<>();
    clients()
        .forEach(
            (bean, client) ->
                all.put(bean, client.inspector().held(LIMIT).stream().map(Held::of).toList()));
    return all;
  }

  /**
   * Who holds one lock: more than one of what reads, or has permits.
   *
   * @param name of the lock; slashes may be part of it
   * @return by the name of the client's bean, in the order of their grants; nothing if it is free
   */
  @ReadOperation
  public @Nullable Map<String, List<Held>> lock(
      @Selector(match = Match.ALL_REMAINING) String[] name) {
    Map<String, List<Held>> found = new LinkedHashMap<>();
    clients()
        .forEach(
            (bean, client) -> {
              List<LockHolder> holders = client.inspector().holders(String.join("/", name));
              if (!holders.isEmpty()) {
                found.put(bean, holders.stream().map(Held::of).toList());
              }
            });
    return found.isEmpty() ? null : found;
  }

  /**
   * Takes a lock from its holder, which goes on working until it learns of it.
   *
   * @param name of the lock
   * @param owner its owner id, or its session where there is none, as the endpoint has told it
   * @return by the name of the client's bean: whether that holder had the lock, and has it no more
   */
  @DeleteOperation
  public Map<String, Boolean> evict(
      @Selector(match = Match.ALL_REMAINING) String[] name, String owner) {
    Map<String, Boolean> evicted = new LinkedHashMap<>();
    clients()
        .forEach(
            (bean, client) -> {
              Optional<LockHolder> holder =
                  client.inspector().holders(String.join("/", name)).stream()
                      .filter(found -> owner.equals(Held.of(found).owner()))
                      .findFirst();
              evicted.put(bean, holder.isPresent() && client.inspector().evict(holder.get()));
            });
    return evicted;
  }

  /**
   * A lock that is held, in words for JSON.
   *
   * @param name of the lock
   * @param owner the owner id, or the session where the server knows no more
   * @param client the name of the holder's client
   * @param token the fencing token
   * @param expiresIn after which the server gives it away without a renewal
   * @param share what it holds of the name: {@code lock}, {@code read}, {@code write}, or such as
   *     {@code 2 of 5}
   */
  public record Held(
      String name,
      String owner,
      @Nullable String client,
      @Nullable Long token,
      @Nullable String expiresIn,
      String share) {

    static Held of(LockHolder holder) {
      return new Held(
          holder.lockName(),
          holder.ownerId().or(holder::session).orElse(""),
          holder.clientName().orElse(null),
          holder.fencingToken().isPresent() ? holder.fencingToken().getAsLong() : null,
          holder.expiresIn().map(String::valueOf).orElse(null),
          holder.share().toString());
    }
  }
}
