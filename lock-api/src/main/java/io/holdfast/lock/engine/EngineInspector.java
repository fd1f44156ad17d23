/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Capabilities.Sharing;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockInspector;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.support.LockNames;
import io.holdfast.lock.text.VisibleText;
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
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the backend who holds what, and turns its numbers into tokens and back. */
final class EngineInspector implements LockInspector {

  private static final Logger LOG = LoggerFactory.getLogger(EngineInspector.class);

  /** Looked at together, while a list is made. */
  private static final int AT_ONCE = 64;

  private static final int MORE_TRIES = 2;

  private static final Comparator<String> BY_CODE_POINTS =
      Comparator.comparing(name -> name.codePoints().toArray(), Arrays::compare);

  private final BlockingCalls blockingCalls;
  private final LockInspection inspection;
  private final Sharing sharing;
  private final String prefix;

  EngineInspector(
      BlockingCalls blockingCalls, LockInspection inspection, Sharing sharing, String prefix) {
    this.sharing = sharing;
    this.blockingCalls = blockingCalls;
    this.inspection = inspection;
    this.prefix = prefix;
  }

  @Override
  public Optional<LockHolder> holder(String nameWithin) {
    String name = LockNames.check(prefix + LockNames.check(nameWithin));
    String operation = "Asking who holds lock '" + name + "'";
    return blockingCalls
        .ask(operation, () -> inspection.holder(name))
        .map(EngineInspector::forUsers);
  }

  @Override
  public List<LockHolder> holders(String nameWithin) {
    String name = LockNames.check(prefix + LockNames.check(nameWithin));
    return blockingCalls
        .ask("Asking who holds lock '" + name + "'", () -> inspection.holders(name))
        .stream()
        .map(EngineInspector::forUsers)
        .toList();
  }

  @Override
  public boolean changeCapacity(String nameWithin, int from, int to) {
    String name = LockNames.check(prefix + LockNames.check(nameWithin));
    for (int capacity : new int[] {from, to}) {
      if (capacity < 2 || capacity > Share.MOST_PERMITS) {
        throw new IllegalArgumentException(
            "capacity must be from 2 to %d, but is %d".formatted(Share.MOST_PERMITS, capacity));
      }
    }
    BackendSupport.check(name, Share.of(1, to), sharing);
    BackendSupport.checkChange(name, sharing);
    return blockingCalls.ask(
        "Changing the capacity of '" + name + "'", () -> inspection.changeCapacity(name, from, to));
  }

  @Override
  public List<LockHolder> held(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, but is " + limit);
    }
    String operation = "Listing the locks that are held";
    List<String> names = new ArrayList<>(blockingCalls.ask(operation, inspection::names));
    names.removeIf(name -> !name.startsWith(prefix));
    names.sort(BY_CODE_POINTS);
    List<LockHolder> held = new ArrayList<>();
    List<LockRejectedException> refused = new ArrayList<>();
    for (int from = 0; from < names.size() && held.size() < limit; from += AT_ONCE) {
      int to = Math.min(names.size(), from + AT_ONCE);
      held.addAll(held(operation, names.subList(from, to), refused));
    }
    if (!refused.isEmpty() && refused.size() == names.size()) {
      throw refused.get(0);
    }
    return List.copyOf(held.subList(0, Math.min(held.size(), limit)));
  }

  /**
   * Of those names, in their order. The holder of a lock that changes hands just then may be
   * unknown, as there is no quorum, which is no reason to tell nothing of the others: it is asked
   * for again. Nor is one that this client may not look at, unless it may look at none.
   */
  private List<LockHolder> held(
      String operation, List<String> names, List<LockRejectedException> refused) {
    Map<String, CompletableFuture<List<LockHolder>>> asked = new LinkedHashMap<>();
    names.forEach(name -> asked.put(name, blockingCalls.send(() -> inspection.holders(name))));
    List<LockHolder> held = new ArrayList<>();
    asked.forEach(
        (name, answer) -> {
          try {
            settleOrAskAgain(operation, name, answer).stream()
                .map(EngineInspector::forUsers)
                .forEach(held::add);
          } catch (LockRejectedException e) {
            LOG.warn("Lock '{}' is left out of the list: {}", VisibleText.of(name), e.getMessage());
            refused.add(e);
          }
        });
    return held;
  }

  private List<LockHolder> settleOrAskAgain(
      String operation, String name, CompletableFuture<List<LockHolder>> answer) {
    CompletableFuture<List<LockHolder>> last = answer;
    for (int more = MORE_TRIES; more > 0; more--) {
      try {
        return blockingCalls.settle(operation, last);
      } catch (LockUnavailableException e) {
        last = blockingCalls.send(() -> inspection.holders(name));
      }
    }
    return blockingCalls.settle(operation, last);
  }

  @Override
  public boolean evict(LockHolder holder) {
    Objects.requireNonNull(holder, "holder");
    LockNames.check(holder.lockName());
    if (!holder.lockName().startsWith(prefix)) {
      throw new IllegalArgumentException(
          "holder must be of a lock whose name begins with '%s', but is of '%s'"
              .formatted(VisibleText.of(prefix), VisibleText.of(holder.lockName())));
    }
    String operation = "Taking lock '" + holder.lockName() + "' from its holder";
    return blockingCalls.ask(operation, () -> inspection.evict(forBackend(holder)));
  }

  /** The backend knows the tenure; which of its leases is held now, only its client does. */
  private static LockHolder forUsers(LockHolder told) {
    return withToken(told, token -> Tokens.at(token, 0));
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
            holder.expiresIn(),
            holder.share());
  }
}
