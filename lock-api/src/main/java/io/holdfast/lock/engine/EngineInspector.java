/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockInspector;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.LockNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the backend, on the caller's thread, and turns its numbers into tokens and back. */
final class EngineInspector implements LockInspector {

  private static final Logger LOG = LoggerFactory.getLogger(EngineInspector.class);

  /** Looked at together, while a list is made. */
  private static final int AT_ONCE = 64;

  private static final int MORE_TRIES = 2;

  private static final Comparator<String> BY_CODE_POINTS =
      Comparator.comparing(name -> name.codePoints().toArray(), Arrays::compare);

  private final EngineClient client;
  private final LockInspection inspection;

  EngineInspector(EngineClient client, LockInspection inspection) {
    this.client = client;
    this.inspection = inspection;
  }

  @Override
  public Optional<LockHolder> holder(String name) {
    LockNames.check(name);
    String doing = "Asking who holds lock '" + name + "'";
    return await(doing, () -> inspection.holder(name)).map(EngineInspector::forUsers);
  }

  @Override
  public List<LockHolder> held(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, but is " + limit);
    }
    String doing = "Listing the locks that are held";
    List<String> names = new ArrayList<>(await(doing, inspection::names));
    names.sort(BY_CODE_POINTS);
    List<LockHolder> held = new ArrayList<>();
    for (int from = 0; from < names.size() && held.size() < limit; from += AT_ONCE) {
      held.addAll(held(doing, names.subList(from, Math.min(names.size(), from + AT_ONCE))));
    }
    return List.copyOf(held.subList(0, Math.min(held.size(), limit)));
  }

  /**
   * Of those names, in their order. Who holds a lock that changes hands just then may be unknown
   * for want of a quorum, which is no reason to tell nothing of the others: it is asked for again.
   * Nor is one that this client may not look at, unless it may look at none.
   */
  private List<LockHolder> held(String doing, List<String> names) {
    Map<String, CompletableFuture<Optional<LockHolder>>> asked = new LinkedHashMap<>();
    names.forEach(name -> asked.put(name, send(() -> inspection.holder(name))));
    List<LockHolder> held = new ArrayList<>();
    List<LockRejectedException> refused = new ArrayList<>();
    asked.forEach(
        (name, answer) -> {
          try {
            settleOrAskAgain(doing, name, answer)
                .map(EngineInspector::forUsers)
                .ifPresent(held::add);
          } catch (LockRejectedException e) {
            LOG.warn("Lock '{}' is left out of the list: {}", name, e.getMessage());
            refused.add(e);
          }
        });
    if (refused.size() == names.size()) {
      throw refused.get(0);
    }
    return held;
  }

  private Optional<LockHolder> settleOrAskAgain(
      String doing, String name, CompletableFuture<Optional<LockHolder>> answer) {
    CompletableFuture<Optional<LockHolder>> last = answer;
    for (int more = MORE_TRIES; more > 0; more--) {
      try {
        return settle(doing, last);
      } catch (LockUnavailableException e) {
        last = send(() -> inspection.holder(name));
      }
    }
    return settle(doing, last);
  }

  @Override
  public boolean evict(LockHolder holder) {
    Objects.requireNonNull(holder, "holder");
    LockNames.check(holder.lockName());
    String doing = "Taking lock '" + holder.lockName() + "' from its holder";
    return await(doing, () -> inspection.evict(forBackend(holder)));
  }

  private <T> T await(String doing, Supplier<CompletionStage<T>> request) {
    return settle(doing, send(request));
  }

  private <T> CompletableFuture<T> send(Supplier<CompletionStage<T>> request) {
    if (client.isClosed()) {
      throw new LockClosedException("The lock client is closed; open another");
    }
    try {
      return request.get().toCompletableFuture();
    } catch (LockException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private <T> T settle(String doing, CompletableFuture<T> answer) {
    if (!Blocking.settles(answer, client.patience())) {
      throw new LockUnavailableException(doing + ": there was no answer in time");
    }
    try {
      return Blocking.awaitUninterruptibly(unwrapped(answer));
    } catch (LockException e) {
      if (client.isClosed()) {
        throw new LockClosedException(doing + ": the lock client was closed meanwhile", e);
      }
      throw e;
    }
  }

  /** As the backend failed it, without what composing stages put around that. */
  private static <T> CompletableFuture<T> unwrapped(CompletableFuture<T> answer) {
    return answer.exceptionallyCompose(
        failure ->
            CompletableFuture.failedFuture(
                failure instanceof CompletionException && failure.getCause() != null
                    ? failure.getCause()
                    : failure));
  }

  private static LockHolder forUsers(LockHolder told) {
    return withToken(told, Tokens::first);
  }

  private static LockHolder forBackend(LockHolder holder) {
    return withToken(holder, Tokens::ofBackend);
  }

  private static LockHolder withToken(LockHolder holder, LongUnaryOperator change) {
    OptionalLong token = holder.fencingToken();
    return token.isEmpty()
        ? holder
        : new LockHolder(
            holder.lockName(),
            holder.ownerId(),
            OptionalLong.of(change.applyAsLong(token.getAsLong())),
            holder.session(),
            holder.expiresIn());
  }
}
