/**
 * The names in the database: the schema, the files with its statements, and how the name of a lock
 * is written as a text and as a number of 64 bits.
 */
@NullMarked
package io.holdfast.lock.postgres.schema;

import org.jspecify.annotations.NullMarked;
