/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.advisory;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.schema.EncodedName;
import io.holdfast.lock.postgres.schema.Schema;
import io.holdfast.lock.postgres.session.PendingRequest;
import io.holdfast.lock.postgres.session.UnusedRowSweeper;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which name each key stands for, told to the server when this client first uses a name, and again
 * when it has not done so for a while. Two names of one key would only ever shut each other out;
 * but that would look as if somebody held a lock whom nobody can find, so it is refused instead.
 * For the worker's thread.
 */
public final class NameRegister {

  /** Of how many names the keys are remembered. */
  public static final int MOST_KNOWN = 10_000;

  /** With a statement's time, less than those two minutes for which names are kept. */
  private static final long KNOWN_NANOS = Duration.ofMinutes(1).toNanos();

  private final String namespace;
  private final String registerSql;
  private final UnusedRowSweeper sweep;
  private int told;
  private final Map<Long, Known> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Known> eldest) {
          return size() > MOST_KNOWN;
        }
      };

  /** A name that the server was told of. */
  private record Known(String name, long since) {}

  NameRegister(String namespace, Schema schema) {
    this.namespace = namespace;
    this.registerSql = schema.statement("advisory/name.sql");
    this.sweep = new UnusedRowSweeper(schema.statement("advisory/forget.sql"), Optional.empty());
  }

  /** Another session: the server may have lost what it was told. */
  void clear() {
    known.clear();
  }

  /** Tells the server of names that are new, and refuses those whose key stands for another. */
  <A> void check(PgConnection pg, List<PendingRequest<AdvisoryClaim, A>> asked)
      throws SQLException {
    Map<Long, List<PendingRequest<AdvisoryClaim, A>>> fresh = new HashMap<>();
    for (PendingRequest<AdvisoryClaim, A> one : asked) {
      AdvisoryClaim claim = one.request();
      Known entry = known.get(claim.key().value());
      if (entry == null
          || !entry.name().equals(claim.lockName())
          || System.nanoTime() - entry.since() > KNOWN_NANOS) {
        // Readers of one client may ask together.
        List<PendingRequest<AdvisoryClaim, A>> alike =
            fresh.computeIfAbsent(claim.key().value(), key -> new ArrayList<>(1));
        if (alike.isEmpty() || alike.get(0).request().lockName().equals(claim.lockName())) {
          alike.add(one);
        } else {
          String other = alike.get(0).request().lockName();
          one.fail(clash(namespace, claim.lockName(), namespace, other));
        }
      }
    }
    if (!fresh.isEmpty()) {
      tell(pg, fresh);
    }
    asked.removeIf(one -> one.answer().isDone());
  }

  private <A> void tell(PgConnection pg, Map<Long, List<PendingRequest<AdvisoryClaim, A>>> fresh)
      throws SQLException {
    long now = System.nanoTime();
    told += fresh.size();
    long[] keys = new long[fresh.size()];
    String[] names = new String[fresh.size()];
    int i = 0;
    for (Map.Entry<Long, List<PendingRequest<AdvisoryClaim, A>>> entry : fresh.entrySet()) {
      keys[i] = entry.getKey();
      names[i++] = EncodedName.of(entry.getValue().get(0).request().lockName());
    }
    PreparedStatement statement = pg.prepare(registerSql);
    statement.setString(1, namespace);
    statement.setObject(2, keys);
    statement.setArray(3, pg.texts(names));
    try (ResultSet answer = statement.executeQuery()) {
      while (answer.next()) {
        List<PendingRequest<AdvisoryClaim, A>> alike = fresh.get(answer.getLong(1));
        if (alike == null) {
          continue;
        }
        String name = alike.get(0).request().lockName();
        if (namespace.equals(answer.getString(2))
            && EncodedName.of(name).equals(answer.getString(3))) {
          known.put(answer.getLong(1), new Known(name, now));
        } else {
          LockRejectedException clash =
              clash(namespace, name, answer.getString(2), answer.getString(3));
          alike.forEach(one -> one.fail(clash));
        }
      }
    }
  }

  public static LockRejectedException clash(
      String namespace, String name, String otherNamespace, String otherName) {
    return new LockRejectedException(
        "Lock '%s' of namespace '%s' has the same 64-bit key as lock '%s' of namespace '%s'; use another name for one of them"
            .formatted(name, namespace, otherName, otherNamespace));
  }

  /** Has the server forget names that nobody uses any more, as fast as others are told. */
  void tidy(PgConnection pg) throws SQLException {
    int names = told;
    told = 0;
    sweep.used(pg, names);
  }

  /** The same when there is nothing else to do. */
  void idle(PgConnection pg) throws SQLException {
    sweep.quiet(pg);
  }
}
