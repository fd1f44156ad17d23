/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import java.util.List;
import java.util.Optional;

/**
 * Asks the server about the locks of a namespace, held by this client or by any other. For people,
 * tools and displays: an answer may be out of date when it arrives, so work must rely on its lease
 * only. Waiters are not shown.
 *
 * <p>The methods block the caller, not a thread of the client; they may be called from any number
 * of threads, and wait through interrupts, which stay set. Each request to the server is bounded by
 * the backend's operation time-out. They throw {@link LockUnavailableException} if the server does
 * not answer, {@link LockRejectedException} if it refuses, and {@link LockClosedException} if the
 * client is closed.
 */
public interface LockInspector {

  /**
   * Looks up the holder of a lock; of a name that several hold, the first of {@link #holders}.
   *
   * @param name any Unicode text of 1 to 512 bytes of UTF-8
   * @return empty if it is free
   * @throws IllegalArgumentException if the name is empty, too long or not Unicode
   */
  Optional<LockHolder> holder(String name);

  /**
   * Looks up all holders of a name: the readers or the writer of a read-write lock, the owners of
   * permits, or the owner of a lock.
   *
   * @param name any Unicode text of 1 to 512 bytes of UTF-8
   * @return in the order of their grants; none if it is free. The readers of one client may be one
   *     entry
   * @throws IllegalArgumentException if the name is empty, too long or not Unicode
   */
  List<LockHolder> holders(String name);

  /**
   * Gives a semaphore that is in use another capacity. Leases stay as they are. If they hold more
   * permits than there are now, nothing is granted until they fit; if one lease alone holds more,
   * {@link #holders} says that it holds all. From then on, a request with the old capacity is
   * refused with a {@link LockCapacityException}; so change the programs at the same time. A name
   * that is not in use takes the capacity of its next user, and needs no change.
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
   * The locks of the namespace that are held. Each is asked for separately, so changes meanwhile
   * may be in the answer or not. The server has to search for them: use it for people, not in every
   * request. Locks that this client may not read are left out, and logged; if it may not read any
   * of them, the refusal is thrown.
   *
   * @param limit the most holders to return, at least 1
   * @return in the order of their names, by code points, each with all that hold it; the first ones
   *     if there are more
   * @throws IllegalArgumentException if the limit is less than 1
   */
  List<LockHolder> held(int limit);

  /**
   * Takes a lock away from its holder, and from nobody else: if another has it by now, nothing
   * happens. Then the lock is free for the next waiter. The former holder learns of the loss: at
   * once where the backend reports it, otherwise at its next renewal, and at the latest when its
   * validity ends. <b>Until then it goes on working</b>, and only the fencing token protects what
   * it writes to. Use it only for a holder that is known to hang.
   *
   * <p>Where only the session is known, the lock is taken from that session by ending it, unless it
   * has other locks as well.
   *
   * @param holder as this inspector has returned it; when it expires does not matter
   * @return whether that holder had the lock, and has lost it now
   * @throws LockRejectedException also if the lock cannot be freed without taking others away
   */
  boolean evict(LockHolder holder);
}
