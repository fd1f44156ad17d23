/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.outside;

import java.util.List;
import java.util.stream.Collectors;

/**
 * An application of the smoke test.
 *
 * @param name of its directory
 * @param boms the coordinates of the bills of materials that it imports, the first wins
 * @param managed the coordinates of single libraries that it chooses itself
 * @param modules of Holdfast that it takes
 */
record SmokeProject(String name, List<String> boms, List<String> managed, List<String> modules) {

  static final List<String> BACKENDS =
      List.of("lock-redis", "lock-redlock", "lock-zookeeper", "lock-etcd", "lock-postgres");
  static final String OUR_BOM = "io.holdfast:lock-bom:${holdfast.version}";

  /** The managed dependencies of its POM. */
  String management() {
    return boms.stream()
            .map(bom -> dependency(bom, "<type>pom</type><scope>import</scope>"))
            .collect(Collectors.joining())
        + managed.stream().map(one -> dependency(one, "")).collect(Collectors.joining());
  }

  /** The dependencies of its POM. */
  String dependencies() {
    String version = boms.contains(OUR_BOM) ? "" : ":${holdfast.version}";
    return modules.stream()
        .map(module -> dependency("io.holdfast:" + module + version, ""))
        .collect(Collectors.joining());
  }

  private static String dependency(String coordinates, String more) {
    String[] parts = coordinates.split(":", -1);
    String version = parts.length == 3 ? "<version>" + parts[2] + "</version>" : "";
    return "    <dependency><groupId>%s</groupId><artifactId>%s</artifactId>%s%s</dependency>\n"
        .formatted(parts[0], parts[1], version, more);
  }

  @Override
  public String toString() {
    return name;
  }
}
