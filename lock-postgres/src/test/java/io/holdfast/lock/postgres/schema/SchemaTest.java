/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the names that are put into statements, and the statements with them. */
class SchemaTest {

  private static final String FILE = "table/holder.sql";

  @ParameterizedTest
  @ValueSource(strings = {"holdfast", "_", "a$1", "Locks"})
  void anIdentifierIsAName(String name) {
    assertEquals(name, Schema.named(name).name());
  }

  @Test
  void aNameIsNoLongerThanPostgresqlKeeps() {
    assertEquals(63, Schema.named("a".repeat(63)).name().length());
    assertThrows(IllegalArgumentException.class, () -> Schema.named("a".repeat(64)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1a", "a b", "a\"", "a;", "a.b", "a\n", "ä"})
  void whatMayEndTheQuotesIsNoName(String name) {
    assertThrows(IllegalArgumentException.class, () -> Schema.named(name));
  }

  @Test
  void aStatementWorksInTheSchemaAndHasNoComments() {
    String statement = new Schema("a$1").statement(FILE);
    assertTrue(statement.contains("\"a$1\".table_lock"), statement);
    assertFalse(statement.contains("holdfast.table_lock"), statement);
    assertFalse(statement.contains("--"), statement);
  }

  @Test
  void aStatementThatIsMissingIsNamed() {
    Schema schema = new Schema(Schema.DEFAULT);
    IllegalStateException missing =
        assertThrows(IllegalStateException.class, () -> schema.statement("none.sql"));
    assertEquals("Resource none.sql is missing", missing.getMessage());
  }
}
