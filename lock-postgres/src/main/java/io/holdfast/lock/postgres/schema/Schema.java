/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A schema, and the statements that work in it. The statements are files in the folder of the
 * package that uses them, in which the schema is called {@code holdfast}.
 *
 * @param name of the schema; one that cannot end the quotes that it is put into
 */
public record Schema(String name) {

  public static final String DEFAULT = "holdfast";
  public static final String FILE = "holdfast.sql";

  private static final String FOLDER = "/io/holdfast/lock/postgres/";
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]{0,62}");
  private static final Pattern OURS = Pattern.compile("\\bholdfast(?=\\.|;)");
  private static final Pattern COMMENT = Pattern.compile("(?m)^ *--.*\n");

  public static Schema named(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException();
    }
    return new Schema(name);
  }

  /**
   * A statement, without its comments.
   *
   * @param file the package's folder, a slash, and the file's name
   */
  public String statement(String file) {
    String text = COMMENT.matcher(read(file)).replaceAll("");
    return OURS.matcher(text).replaceAll(Matcher.quoteReplacement('"' + name + '"'));
  }

  private static String read(String file) {
    try (InputStream in = Schema.class.getResourceAsStream(FOLDER + file)) {
      if (in == null) {
        throw new IllegalStateException("Resource " + file + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + file, e);
    }
  }
}
