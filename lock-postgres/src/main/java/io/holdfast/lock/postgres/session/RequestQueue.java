/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PgFailures;
import io.holdfast.lock.postgres.session.ConnectionWorker.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a {@link ConnectionWorker} is asked, from any thread, until its own thread takes it. */
final class RequestQueue {

  /**
   * So many go into the queue as one at most, and with so many for one statement nothing more is
   * taken from it.
   */
  private static final int MANY_AT_ONCE = 500;

  /** Each has what was asked for together. */
  private final BlockingQueue<List<Item<?, ?>>> queue = new LinkedBlockingQueue<>();

  /** A kind of requests with one of them. */
  record Item<Q, A>(Kind<Q, A> kind, PendingRequest<Q, A> asked) {

    /** Carries out requests of one kind. They are alike: each was made with that of the first. */
    @SuppressWarnings("unchecked")
    static <Q, A> void carryOut(PgConnection pg, List<Item<?, ?>> alike) throws SQLException {
      Kind<Q, A> kind = (Kind<Q, A>) alike.get(0).kind();
      List<PendingRequest<Q, A>> asked = new ArrayList<>(alike.size());
      for (Item<?, ?> item : alike) {
        asked.add((PendingRequest<Q, A>) item.asked());
      }
      Exception failure = new LockUnavailableException("the server gave no answer");
      try {
        kind.statement.carryOut(pg, asked);
      } catch (SQLException e) {
        failure = e;
        Optional<SQLException> end = PgFailures.end(e);
        if (end.isPresent()) {
          throw end.get();
        }
      } finally {
        for (PendingRequest<Q, A> one : asked) {
          one.fail(failure);
        }
      }
    }

    static void failAll(Iterable<Item<?, ?>> items, Throwable failure) {
      for (Item<?, ?> item : items) {
        item.asked().fail(failure);
      }
    }
  }

  void add(List<Item<?, ?>> together) {
    for (int from = 0; from < together.size(); from += MANY_AT_ONCE) {
      queue.add(together.subList(from, Math.min(from + MANY_AT_ONCE, together.size())));
    }
  }

  /** Waits for a request, and takes what has gathered by then; empty if none came. */
  List<Item<?, ?>> await(Duration longest) throws InterruptedException {
    List<Item<?, ?>> gathered = new ArrayList<>();
    @Nullable List<Item<?, ?>> next = queue.poll(longest.toNanos(), TimeUnit.NANOSECONDS);
    while (next != null) {
      gathered.addAll(next);
      next = gathered.size() < MANY_AT_ONCE ? queue.poll() : null;
    }
    return gathered;
  }

  void failAll(Throwable failure) {
    List<List<Item<?, ?>>> drained = new ArrayList<>();
    queue.drainTo(drained);
    drained.forEach(together -> Item.failAll(together, failure));
  }
}
