/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import java.util.List;
import java.util.Optional;

/**
 * What the server says about the locks of a namespace, whoever holds them: this client, or any
 * other. For people, tools and displays: an answer is old when it arrives, so only a lease says
 * whether one may go on. Waiters are no holders.
 *
 * <p>The methods block the caller, not a thread of the client; they may be called from any number
 * of threads, and wait through interrupts, which stay set. Each request to the server is bounded by
 * the backend's operation time-out. They throw {@link LockUnavailableException} if the server does
 * not answer, {@link LockRejectedException} if it refuses, and {@link LockClosedException} if the
 * client is closed.
 */
public interface LockInspector {

  /**
   * Who holds a lock; of a name that several hold, the first of {@link #holders}.
   *
   * @param name any Unicode text of 1 to 512 bytes of UTF-8
   * @return empty if it is free
   * @throws IllegalArgumentException if the name is empty, too long or not Unicode
   */
  Optional<LockHolder> holder(String name);

  /**
   * Who holds a share of a name: the readers or the writer of a read-write lock, the owners of
   * permits, or the owner of a lock.
   *
   * @param name any Unicode text of 1 to 512 bytes of UTF-8
   * @return in the order of their grants; none if it is free. The readers of one client may be one
   * @throws IllegalArgumentException if the name is empty, too long or not Unicode
   */
  List<LockHolder> holders(String name);

  /**
   * Gives a semaphore that is in use another capacity. Leases go on; if they hold more than there
   * is now, nothing is granted until they fit; of one that alone holds more, {@link #holders} says
   * that it holds all. From then on, a client that asks with the old capacity is refused with a
   * {@link LockCapacityException}; so change the programs and this together. A name that is not in
   * use takes the capacity of the first client, and needs no change.
   *
   * @param name any Unicode text of 1 to 512 bytes of UTF-8
   * @param from the capacity that it has
   * @param to the capacity that it is to have: 2 to {@link Share#MOST_PERMITS}, as {@code from} is
   * @return whether it was in use with the capacity {@code from}
   * @throws IllegalArgumentException if an argument is out of bounds
   * @throws LockConfigurationException if the backend has no semaphores, or cannot change one that
   *     is in use ({@link Capabilities.Sharing#FIXED_PERMITS})
   */
  boolean changeCapacity(String name, int from, int to);

  /**
   * The locks of the namespace that are held. Each is asked for by itself, so what changes
   * meanwhile may be in the answer or not. The server has to look for them: a question for people,
   * not for every request. One that the server does not let this client look at is left out, and
   * logged; if that is each of them, the refusal is thrown.
   *
   * @param limit at most so many, at least 1
   * @return in the order of their names, by code points, each with all that hold it; the first ones
   *     if there are more
   * @throws IllegalArgumentException if the limit is less than 1
   */
  List<LockHolder> held(int limit);

  /**
   * Takes a lock away from its holder, and from nobody else: if another has it by now, nothing
   * happens. The lock is free then for whoever waits. The one who had it learns it as a loss: at
   * once where the backend tells, by its next renewal elsewhere, and at the latest when its
   * validity ends. <b>Until then it goes on working</b>, and only the fencing token protects what
   * it writes to. So this is for a holder of which one knows that it hangs.
   *
   * <p>Where only a session is told, whoever has the lock in that session is meant, and the session
   * is ended, unless it has other locks as well.
   *
   * @param holder as this inspector has told; when it expires does not matter
   * @return whether that holder had the lock, and has it no more
   * @throws LockRejectedException also if the lock cannot be freed without taking others away
   */
  boolean evict(LockHolder holder);
}
