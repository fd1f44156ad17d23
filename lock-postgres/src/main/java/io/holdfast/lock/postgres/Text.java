/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

/**
 * Lock names as PostgreSQL's text: it can hold every character but NUL, so that is written as
 * {@code \0}, and a backslash as two. Different names stay different, and nearly all stay as they
 * are.
 */
final class Text {

  private Text() {}

  static String of(String name) {
    return name.replace("\\", "\\\\").replace("\u0000", "\\0");
  }
}
