/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.Share;
import io.holdfast.lock.cli.common.Output;
import io.holdfast.lock.text.VisibleText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A line for each change since the look before. A lock that is held at the first look is a change.
 */
final class ChangesView implements WatchCommand.View {

  private static final String FREE = "free";

  /** Others hold the name still. */
  private static final String LEFT = "left";

  private final Output output;
  private Map<String, List<LockHolder>> before = Map.of();
  private boolean blind;

  ChangesView(Output output) {
    this.output = output;
  }

  @Override
  public void show(List<LockHolder> held) {
    if (blind) {
      change("seen again", null);
      blind = false;
    }
    Map<String, List<LockHolder>> now = new LinkedHashMap<>();
    held.forEach(
        holder -> now.computeIfAbsent(holder.lockName(), name -> new ArrayList<>()).add(holder));
    before.forEach(
        (name, holders) -> {
          if (!now.containsKey(name)) {
            compare(holders, List.of());
          }
        });
    now.forEach((name, holders) -> compare(before.getOrDefault(name, List.of()), holders));
    before = now;
  }

  /** Of one name. */
  private void compare(List<LockHolder> earlier, List<LockHolder> holders) {
    List<LockHolder> gone =
        earlier.stream().filter(one -> holders.stream().noneMatch(same(one))).toList();
    List<LockHolder> come =
        holders.stream().filter(one -> earlier.stream().noneMatch(sameShare(one))).toList();
    if (earlier.size() == 1 && holders.size() == 1 && gone.size() == 1) {
      change("passed on", holders.get(0));
      return;
    }
    for (int i = 0; i < gone.size(); i++) {
      boolean last = holders.isEmpty() && i == gone.size() - 1;
      change(last ? FREE : LEFT, gone.get(i));
    }
    come.forEach(holder -> change("held", holder));
  }

  private static Predicate<LockHolder> same(LockHolder one) {
    return other -> Holders.isSame(one, other);
  }

  /** One who has another share now is told of again. */
  private static Predicate<LockHolder> sameShare(LockHolder one) {
    return same(one).and(other -> one.share().equals(other.share()));
  }

  @Override
  public void blind(String why) {
    if (!blind) {
      output.say(why);
      change("not seen", null);
    }
    blind = true;
  }

  /** With the one who has it now, or had it last. */
  private void change(String what, @Nullable LockHolder holder) {
    String at = Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    if (output.isJson()) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("at", at);
      json.put("change", what);
      if (holder != null) {
        boolean former = what.equals(FREE) || what.equals(LEFT);
        json.putAll(former ? Holders.formerJson(holder) : Holders.json(holder));
      }
      output.json(json);
    } else if (holder == null) {
      output.line(at + "  " + what);
    } else {
      output.line(
          "%s  %-9s  %s  %s%s, token %s"
              .formatted(
                  at,
                  what,
                  VisibleText.of(holder.lockName()),
                  VisibleText.of(Holders.name(holder)),
                  holder.share().equals(Share.LOCK) ? "" : ", " + holder.share(),
                  Holders.token(holder)));
    }
  }
}
