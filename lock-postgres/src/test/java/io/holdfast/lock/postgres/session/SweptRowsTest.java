/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import static io.holdfast.lock.postgres.connect.ConnectionWithoutServer.proxy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.postgres.connect.ConnectionWithoutServer;
import io.holdfast.lock.postgres.connect.PgConnection;
import java.lang.reflect.Method;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests how much of a table is looked at for unused rows, without a server. */
class SweptRowsTest {

  /** With each statement, the parameters. */
  private final List<List<Object>> slices = new ArrayList<>();

  private final Object[] parameters = new Object[3];
  private boolean atTheEnd;
  private final PreparedStatement statement = proxy(PreparedStatement.class, this::look);
  private final PgConnection pg =
      ConnectionWithoutServer.of((proxy, method, arguments) -> statement);
  private final UnusedRowSweeper sweep = new UnusedRowSweeper("look", Optional.of("lock"));

  private @Nullable Object look(Object proxy, Method method, Object @Nullable [] arguments) {
    if (method.getName().startsWith("set") && arguments != null) {
      parameters[(int) arguments[0] - 1] = String.valueOf(arguments[1]);
      return null;
    }
    assertEquals("executeQuery", method.getName());
    slices.add(List.copyOf(Arrays.asList(parameters)));
    int most = Integer.parseInt((String) parameters[2]);
    return proxy(
        ResultSet.class,
        (answer, question, column) ->
            switch (question.getName()) {
              case "getInt" -> atTheEnd ? most - 1 : most;
              case "getString" -> "row " + slices.size();
              default -> true;
            });
  }

  /** Four rows, so that the sweep is faster than names are added, and steady. */
  @Test
  void asManyRowsAreLookedAtAsNamesAreUsedAndMore() throws SQLException {
    sweep.used(pg, 1_000);
    int looks = slices.size();
    // One is due each second in any case.
    assertTrue(looks == 10 || looks == 11, looks + " slices");
    for (int i = 0; i < 1_000; i++) {
      sweep.used(pg, 1);
    }
    assertTrue(slices.size() >= 20, slices.size() + " slices");
  }

  @Test
  void eachSliceBeginsWhereTheOneBeforeHasEnded() throws SQLException {
    sweep.used(pg, 1_000);
    assertEquals(List.of("lock", "null", "400"), slices.get(0));
    for (int i = 1; i < slices.size(); i++) {
      assertEquals(List.of("lock", "row " + i, "400"), slices.get(i));
    }
  }

  /** However many names are used meanwhile: the rows of most of them are not old enough. */
  @Test
  void theNextRoundBeginsAWhileAfterTheEndOfTheTable() throws SQLException {
    atTheEnd = true;
    sweep.used(pg, 1_000);
    sweep.used(pg, 1_000);
    sweep.quiet(pg);
    assertEquals(1, slices.size());
  }

  @Test
  void someSlicesAreLookedAtInAQuietMoment() throws SQLException {
    sweep.quiet(pg);
    assertEquals(5, slices.size());
  }
}
