/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of holders. */
final class LimitConverter implements ITypeConverter<Integer> {

  private static final int MOST = 1_000_000;

  LimitConverter() {}

  @Override
  public Integer convert(String value) {
    try {
      int limit = Integer.parseInt(value);
      if (limit >= 1 && limit <= MOST) {
        return limit;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new TypeConversionException("'" + value + "' is not a number from 1 to " + MOST);
  }
}
