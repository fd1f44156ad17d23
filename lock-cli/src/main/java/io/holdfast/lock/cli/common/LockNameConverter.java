/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

import io.holdfast.lock.spi.support.LockNames;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Refuses what cannot be the name of a lock. */
public final class LockNameConverter implements ITypeConverter<String> {

  /** For the command line. */
  public LockNameConverter() {}

  @Override
  public String convert(String value) {
    try {
      LockNames.check(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
    return value;
  }
}
