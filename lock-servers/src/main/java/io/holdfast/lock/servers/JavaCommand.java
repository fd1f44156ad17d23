/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.File;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;

/** The command line of a small JVM with the class path of this one. */
final class JavaCommand {

  /** Quick to start: also without the verification of classes, which this JVM has verified. */
  private static final List<String> SMALL =
      List.of(
          "-Xms16m",
          "-Xmx128m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xshare:auto",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:-BytecodeVerificationRemote");

  private JavaCommand() {}

  static List<String> of(List<String> jvmOptions, String mainClass, String... args) {
    return command(jvmOptions, System.getProperty("java.class.path"), mainClass, args);
  }

  /** Entries of the class's loader that come before the class path of this JVM do so there, too. */
  static List<String> of(List<String> jvmOptions, Class<?> main, String... args) {
    StringJoiner path = new StringJoiner(File.pathSeparator);
    if (main.getClassLoader() instanceof URLClassLoader own) {
      for (URL url : own.getURLs()) {
        path.add(Path.of(URI.create(url.toString())).toString());
      }
    }
    path.add(System.getProperty("java.class.path"));
    return command(jvmOptions, path.toString(), main.getName(), args);
  }

  private static List<String> command(
      List<String> jvmOptions, String classPath, String mainClass, String... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(SMALL);
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", classPath, mainClass));
    command.addAll(Arrays.asList(args));
    return command;
  }
}
