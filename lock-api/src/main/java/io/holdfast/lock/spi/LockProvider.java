/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LockConfigurationException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A kind of backend, found with {@link java.util.ServiceLoader}. Implementations have a public
 * no-argument constructor, do nothing in it, and are declared both in {@code META-INF/services} and
 * in {@code module-info}.
 */
public interface LockProvider {

  /**
   * The name by which configuration picks this provider, such as {@code redis}: lower-case letters,
   * digits and hyphens. Two providers of one name on the class path are refused.
   *
   * @return the name
   */
  String name();

  /**
   * Describes what every backend of this provider promises, without connecting, and without the
   * classes of the server's client library.
   *
   * @return what {@link LockBackend#capabilities()} will say
   */
  Capabilities capabilities();

  /**
   * Reads an address that says by itself that it is of this kind of server, such as {@code
   * redis://localhost:6379}. Several providers may know one address. Needs no more than {@link
   * #capabilities()} does.
   *
   * @param url may hold a secret, and may turn out to be malformed when it is opened
   * @return the settings that say the same, to which others may be added; empty if it is none of
   *     this kind
   */
  default Optional<Map<String, String>> settingsOf(String url) {
    return Optional.empty();
  }

  /**
   * The libraries that it cannot do without, for the check of their versions before it is opened.
   *
   * @return none, if the provider checks for itself
   */
  default List<ClientLibrary> libraries() {
    return List.of();
  }

  /**
   * Connects and checks what can be checked: address, credentials, version, kind of server.
   *
   * @param settings what the user configured; a provider reads every key that it knows, {@code
   *     namespace} and {@code command-timeout} among them, and then calls {@link
   *     Settings#finish()}, which refuses the rest
   * @return an open backend, whose {@link LockBackend#close()} ends all that this call began
   * @throws LockConfigurationException if a setting is missing, unknown or malformed
   * @throws io.holdfast.lock.LockUnavailableException if the server does not answer in time
   * @throws io.holdfast.lock.LockRejectedException if the server answers, and refuses us
   */
  LockBackend<?> open(Settings settings);
}
