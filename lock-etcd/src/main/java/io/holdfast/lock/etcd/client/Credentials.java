/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

/**
 * The user and the password for etcd.
 *
 * @param user a name
 * @param password a secret
 */
public record Credentials(String user, String password) {

  /** Shows no secret. */
  @Override
  public String toString() {
    return "Credentials[" + user + "]";
  }
}
