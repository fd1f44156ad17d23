/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes owner ids: a readable name, 128 random bits for each client, and a number for each
 * acquisition. Never reused, not to be guessed, and a person who finds one at the backend sees
 * whose it is ({@link io.holdfast.lock.LockHolder#clientName()}).
 */
final class OwnerIds {

  private static final int LONGEST_NAME = 64;

  private final String clientName;
  private final String prefix;
  private final AtomicLong number = new AtomicLong();

  OwnerIds(Optional<String> givenName) {
    byte[] random = new byte[16];
    new SecureRandom().nextBytes(random);
    String name = givenName.orElseGet(OwnerIds::hostAndProcess);
    String safe = name.replaceAll("[^A-Za-z0-9._-]", "_");
    this.clientName = safe.substring(0, Math.min(LONGEST_NAME, safe.length()));
    this.prefix =
        clientName + "-" + Base64.getUrlEncoder().withoutPadding().encodeToString(random) + "-";
  }

  /** The name with which the owner ids of this client begin. */
  String clientName() {
    return clientName;
  }

  String next() {
    return prefix + number.incrementAndGet();
  }

  /** Without asking a name service, which may be slow. */
  private static String hostAndProcess() {
    String host = System.getenv("HOSTNAME");
    if (host == null || host.isBlank()) {
      try (FileInputStream in = new FileInputStream("/proc/sys/kernel/hostname")) {
        host = new String(in.readNBytes(LONGEST_NAME), StandardCharsets.UTF_8).trim();
      } catch (IOException e) {
        host = "host";
      }
    }
    return host + "-" + ProcessHandle.current().pid();
  }
}
