/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.outside;

import java.util.List;
import java.util.Locale;

/**
 * A framework that chooses the versions of the client libraries for its applications.
 *
 * @param title how people call it, with its version
 * @param bom the coordinates of its bill of materials
 * @param managed the coordinates of the libraries whose version its user has to choose, as
 *     docs/versions.md says
 */
record Framework(String title, String bom, List<String> managed) {

  Framework(String title, String bom) {
    this(title, bom, List.of());
  }

  /** An application that takes every backend. */
  SmokeProject project() {
    return new SmokeProject(
        title.toLowerCase(Locale.ROOT).replace(' ', '-'),
        List.of(bom),
        managed,
        SmokeProject.BACKENDS);
  }

  /** The same, and our bill of materials is the first: what it managed would win. */
  SmokeProject projectWithOurBom() {
    return new SmokeProject(
        project().name() + "-with-lock-bom",
        List.of(SmokeProject.OUR_BOM, bom),
        managed,
        SmokeProject.BACKENDS);
  }

  @Override
  public String toString() {
    return title;
  }
}
