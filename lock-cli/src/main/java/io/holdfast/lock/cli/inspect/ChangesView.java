/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.cli.common.Output;
import io.holdfast.lock.text.VisibleText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A line for each change since the look before. What is held at the first look is a change. */
final class ChangesView implements WatchCommand.View {

  private static final String FREE = "free";

  private final Output output;
  private Map<String, LockHolder> before = Map.of();
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
    Map<String, LockHolder> now = new LinkedHashMap<>();
    held.forEach(holder -> now.put(holder.lockName(), holder));
    before.forEach(
        (name, holder) -> {
          if (!now.containsKey(name)) {
            change(FREE, holder);
          }
        });
    now.forEach(
        (name, holder) -> {
          @Nullable LockHolder earlier = before.get(name);
          if (earlier == null) {
            change("held", holder);
          } else if (!Holders.isSame(earlier, holder)) {
            change("passed on", holder);
          }
        });
    before = now;
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
        json.putAll(what.equals(FREE) ? Holders.formerJson(holder) : Holders.json(holder));
      }
      output.json(json);
    } else if (holder == null) {
      output.line(at + "  " + what);
    } else {
      output.line(
          "%s  %-9s  %s  %s, token %s"
              .formatted(
                  at,
                  what,
                  VisibleText.of(holder.lockName()),
                  VisibleText.of(Holders.name(holder)),
                  Holders.token(holder)));
    }
  }
}
