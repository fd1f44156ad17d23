/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Share;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tells the kit about a backend: how clients are opened, what is promised, and which faults can be
 * produced. Rules that need something that is left empty are skipped, loudly: without {@link
 * #settings()} all rules with another JVM, without {@link #server()} or {@link #link()} all that
 * break links, without {@link #revoke} and {@link #occupy} those about administrators. Used from
 * many threads.
 */
public interface Fixture extends AutoCloseable {

  /**
   * Names the column in the report.
   *
   * @return such as {@code redis}
   */
  String name();

  /**
   * The promises that the backend is meant to keep, written down here and not asked of it.
   *
   * @return the promises
   */
  Capabilities promises();

  /**
   * The share that rules take where they take a lock: besides a lock, the write side of a
   * read-write lock ({@link Share#WRITE}) or all permits of a semaphore. The rules for a lock apply
   * to those as well. Rules that ask for anything else are skipped then.
   *
   * @return what the system property {@code holdfast.tck.share} says: {@code write}, or permits
   *     such as {@code 2/2}; otherwise a lock
   */
  default Share share() {
    return RuleShare.configured();
  }

  /**
   * The times that suit the backend.
   *
   * @return short ones
   */
  Timing timing();

  /**
   * Everything of any lock that is now at the backend, of holders and of waiters: each entry
   * contains the lock's name. Entries that are over and merely not cleaned up yet do not count, and
   * neither does what {@link #occupy} has put there.
   *
   * @return keys, nodes, rows
   */
  List<String> residue();

  /**
   * Whether {@link #residue} sees anything: not every backend can be asked, and then rules about
   * what is left behind are skipped.
   *
   * @return true unless nobody can look
   */
  default boolean seesResidue() {
    return true;
  }

  /**
   * Whether rules may take locks of their own away, as an administrator may.
   *
   * @return true unless it is not allowed here
   */
  default boolean allowsEviction() {
    return true;
  }

  /**
   * Settings with which any JVM opens a client straight to the server, {@code provider} included.
   *
   * @return empty if another JVM cannot reach the backend
   */
  default Optional<Map<String, String>> settings() {
    return Optional.empty();
  }

  /**
   * The same through a link that can be broken.
   *
   * @param link to the server
   * @return empty if there is no such thing
   */
  default Optional<Map<String, String>> settings(TcpProxy link) {
    return Optional.empty();
  }

  /**
   * Settings with which the transactions that leases bring would by default go on seeing what was
   * there when they began (REPEATABLE READ), in a database in which the rules may make tables.
   *
   * @return empty if there is no such thing
   */
  default Optional<Map<String, String>> staleSnapshots() {
    return Optional.empty();
  }

  /**
   * Settings that cannot work, because nobody listens at their address, with a secret in them.
   *
   * @param port where nobody listens
   * @param secret a password to put where passwords go
   * @return empty if there is no such thing
   */
  default Optional<Map<String, String>> unreachable(int port, String secret) {
    return Optional.empty();
  }

  /**
   * Settings of a client that has to prove who it is, to a server that wants this password: one for
   * each way to give it.
   *
   * @param secret the password
   * @return empty if no server here wants one
   */
  default List<Map<String, String>> withPassword(String secret) {
    return List.of();
  }

  /**
   * Settings of a client that does not prove who it is, to a server that lets nobody in who does
   * not.
   *
   * @param settings one of {@link #withPassword}, with which a client was opened before
   * @return empty if the servers here let in clients without credentials
   */
  default Optional<Map<String, String>> withoutPassword(Map<String, String> settings) {
    return Optional.empty();
  }

  /**
   * Settings that are refused without asking a server, with a password where somebody may put it by
   * mistake.
   *
   * @param secret the password
   * @return none unless overridden
   */
  default List<Map<String, String>> malformed(String secret) {
    return List.of();
  }

  /**
   * The server, to be stopped, suspended and started.
   *
   * @return empty if it cannot be touched
   */
  default Optional<Server> server() {
    return Optional.empty();
  }

  /**
   * Which of several servers decides for the others now.
   *
   * @return empty if there is no such server
   */
  default Optional<Server> leader() {
    return Optional.empty();
  }

  /**
   * A new link to the server, or to all of them, that can be broken.
   *
   * @return empty if there is no server; closed by the kit
   */
  default Optional<TcpProxy> link() {
    return server().map(server -> TcpProxy.to(server.host(), server.port()));
  }

  /**
   * Has an administrator delete a lock at the server, or end the connection that keeps it where no
   * more is possible.
   *
   * @param lockName which
   * @return whether there is such a way, and whether the lock was there: rules ask when it is held
   */
  default Revocation revoke(String lockName) {
    return Revocation.NOT_POSSIBLE;
  }

  /**
   * Has an administrator make the server keep a lock that is held for longer. A step of the
   * server's wall clock back by as much leaves the lock in the same state.
   *
   * @param lockName which
   * @param by how much longer
   * @return false if there is no such way
   */
  default boolean prolong(String lockName, Duration by) {
    return false;
  }

  /**
   * Further faults of the backend, besides those that follow from {@link #server}, {@link #link}
   * and {@link #revoke}: a fail-over, a change of leader. Never two at once, nor together with what
   * is done to the server.
   *
   * @return none unless overridden
   */
  default List<NamedFault> faults() {
    return List.of();
  }

  /**
   * Puts something that is no lock at the place of a lock.
   *
   * @param lockName which
   * @return how to look whether it is still there untouched; empty if there is no such way
   */
  default Optional<java.util.function.BooleanSupplier> occupy(String lockName) {
    return Optional.empty();
  }

  /**
   * Puts a value at the place of a lock that is of the right kind, but much too long for one.
   *
   * @param lockName which
   * @param bytes how long
   * @return how to look whether it is still there; empty if there is no such way
   */
  default Optional<java.util.function.BooleanSupplier> occupyWith(String lockName, int bytes) {
    return Optional.empty();
  }

  /**
   * Whether a request that arrives after its client was closed leaves nothing, or else what it took
   * until its TTL has passed.
   *
   * @return true unless overridden
   */
  default boolean undoesWhatArrivesAfterClose() {
    return true;
  }

  /**
   * How many names a client may remember that it does not hold.
   *
   * @return a bound; 0 if it forgets them
   */
  default int namesRemembered() {
    return 0;
  }

  /**
   * Opens a client straight to the server.
   *
   * @param options what it takes from its surroundings
   * @return an open client
   */
  default LockClient open(ClientOptions options) {
    return Locks.open(settings().orElseThrow(), options);
  }

  @Override
  void close();
}
