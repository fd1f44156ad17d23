/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.table;

import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.session.ServerSession;
import java.util.HashSet;
import java.util.Set;

/** One session of the server. For the worker's thread. */
final class TableSession extends ServerSession {

  /**
   * Which claims have marked in it who waits, so that a release can name one of them. Only a hint;
   * that somebody was refused stands in the row.
   */
  final Set<TableClaim> marked = new HashSet<>();

  TableSession(PgConnection.Identity identity) {
    super(identity);
  }
}
