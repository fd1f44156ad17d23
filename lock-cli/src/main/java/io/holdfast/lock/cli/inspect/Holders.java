/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.Share;
import io.holdfast.lock.cli.common.Table;
import io.holdfast.lock.cli.common.Times;
import io.holdfast.lock.text.VisibleText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Shows holders. A value that the server does not tell is a hyphen, or null. */
final class Holders {

  private static final String UNTOLD = "-";

  private Holders() {}

  static Table table(List<LockHolder> holders) {
    Table table = new Table("LOCK", "HOLDER", "SHARE", "TOKEN", "EXPIRES IN");
    holders.forEach(
        holder ->
            table.row(
                holder.lockName(),
                name(holder),
                holder.share().toString(),
                token(holder),
                expiry(holder)));
    return table;
  }

  /** The owner, or what stands for it. */
  static String name(LockHolder holder) {
    return holder
        .ownerId()
        .orElseGet(() -> holder.session().map(session -> "session " + session).orElse(UNTOLD));
  }

  /** The text by which a user means this holder, and no other of its name where owners are told. */
  static Optional<String> identity(LockHolder holder) {
    return holder.ownerId().or(holder::session);
  }

  static String token(LockHolder holder) {
    return holder.fencingToken().isPresent()
        ? Long.toString(holder.fencingToken().getAsLong())
        : UNTOLD;
  }

  static String expiry(LockHolder holder) {
    return holder.expiresIn().map(Times::text).orElse(UNTOLD);
  }

  /** All that is known of those who hold one name. */
  static List<String> sheets(List<LockHolder> holders) {
    if (holders.size() == 1) {
      return sheet(holders.get(0));
    }
    List<String> lines = new ArrayList<>();
    lines.add(count(holders));
    holders.forEach(
        holder -> {
          lines.add("");
          lines.addAll(sheet(holder));
        });
    return lines;
  }

  /** How many hold a name, and of a semaphore, how much of it. */
  private static String count(List<LockHolder> holders) {
    Share share = holders.get(0).share();
    int held = holders.stream().mapToInt(holder -> holder.share().permits()).sum();
    return share.mode() == Share.Mode.PERMITS
        ? "%d holders have %d of %d permits".formatted(holders.size(), held, share.capacity())
        : holders.size() + " holders";
  }

  /** All that is known of one. */
  static List<String> sheet(LockHolder holder) {
    return List.of(
        "lock        " + VisibleText.of(holder.lockName()),
        "owner       " + VisibleText.of(holder.ownerId().orElse(UNTOLD)),
        "client      " + VisibleText.of(holder.clientName().orElse(UNTOLD)),
        "share       " + holder.share(),
        "token       " + token(holder),
        "session     " + VisibleText.of(holder.session().orElse(UNTOLD)),
        "expires in  " + expiry(holder));
  }

  /**
   * The token is a text, as it is greater than what many readers keep of a number. The sides of a
   * read-write lock have no numbers: there may be any number of readers.
   */
  static Map<String, Object> json(LockHolder holder) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("lock", holder.lockName());
    json.put("owner", holder.ownerId());
    json.put("client", holder.clientName());
    json.put(
        "token", holder.fencingToken().isPresent() ? Optional.of(token(holder)) : Optional.empty());
    json.put("session", holder.session());
    json.put("expiresInMs", holder.expiresIn().map(left -> left.toMillis()));
    Share share = holder.share();
    boolean counted = share.mode() == Share.Mode.LOCK || share.mode() == Share.Mode.PERMITS;
    json.put("mode", share.mode().name().toLowerCase(Locale.ROOT));
    json.put("permits", counted ? Optional.of(share.permits()) : Optional.empty());
    json.put("capacity", counted ? Optional.of(share.capacity()) : Optional.empty());
    return json;
  }

  /** The same of one who has it no more, of whom no time is left. */
  static Map<String, Object> formerJson(LockHolder holder) {
    Map<String, Object> json = json(holder);
    json.put("expiresInMs", Optional.empty());
    return json;
  }

  /**
   * Whether two answers are about the same lease, however often it was renewed in between, and
   * whatever share of the name it has now.
   */
  static boolean isSame(LockHolder one, LockHolder other) {
    return one.lockName().equals(other.lockName())
        && one.ownerId().equals(other.ownerId())
        && one.session().equals(other.session())
        && one.fencingToken().equals(other.fencingToken());
  }
}
