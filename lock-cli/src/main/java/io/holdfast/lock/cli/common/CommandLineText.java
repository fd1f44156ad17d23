/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

/**
 * Messages about what was written on a command line, which is a configuration to those who wrote
 * them.
 */
final class CommandLineText {

  private static final String NAME = BackendOptions.UNNAMED;
  private static final String ORIGIN = "( \\(on the command line\\))?";

  private CommandLineText() {}

  /** The same with the options as they were typed. */
  static String text(String message) {
    return message
        .replaceAll("'backend\\." + NAME + "\\.url'" + ORIGIN, "--backend")
        .replaceAll("'backend\\." + NAME + "\\.provider'" + ORIGIN, "--provider")
        .replaceAll("'backend\\." + NAME + "\\.([a-z-]+)'" + ORIGIN, "--set $1")
        .replaceAll("'scenario\\." + NAME + "\\.ttl'" + ORIGIN, "--ttl")
        .replaceAll("Setting 'ttl' of scenario '" + NAME + "'", "--ttl")
        .replaceAll(
            "The terms of scenario '" + NAME + "'( \\([^)]*\\))? are not valid: ttl", "--ttl")
        .replaceAll("of backend '" + NAME + "' of provider", "of the backend of provider")
        .replaceAll("ackend '" + NAME + "' of provider", "ackend of provider")
        .replaceAll("ackend '" + NAME + "'( \\([^)]*\\))?", "ackend of --backend");
  }
}
