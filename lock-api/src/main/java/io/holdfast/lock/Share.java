/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

/**
 * The permits, of the capacity of a name, that an acquisition asks for and a lease holds. A lock is
 * 1 of 1, a semaphore has k of n, a reader 1 and a writer all of {@link #READ_WRITE_CAPACITY}. The
 * permits of all leases of a name never exceed its capacity.
 *
 * <p>A capacity belongs to the name while the name is in use: a request for permits of another
 * capacity is refused with a {@link LockCapacityException} meanwhile.
 *
 * @param permits at least 1, at most the capacity
 * @param capacity at least 1
 */
public record Share(int permits, int capacity) {

  /** Of which a reader holds 1 and a writer all: more than there can be readers. */
  public static final int READ_WRITE_CAPACITY = 1 << 30;

  /** The largest capacity of a semaphore. */
  public static final int MOST_PERMITS = 1_000_000;

  /** All of a lock: 1 of 1. */
  public static final Share LOCK = new Share(1, 1);

  /** The read side of a read-write lock. */
  public static final Share READ = new Share(1, READ_WRITE_CAPACITY);

  /** The write side of a read-write lock. */
  public static final Share WRITE = new Share(READ_WRITE_CAPACITY, READ_WRITE_CAPACITY);

  /** The kind of lock that a share belongs to. */
  public enum Mode {
    /** A lock: one of one. */
    LOCK,
    /** The read side of a read-write lock. */
    READ,
    /** The write side of a read-write lock. */
    WRITE,
    /** A semaphore. */
    PERMITS
  }

  /** Checks both. */
  public Share {
    if (capacity != READ_WRITE_CAPACITY && (capacity < 1 || capacity > MOST_PERMITS)) {
      throw new IllegalArgumentException(
          "capacity must be from 1 to %d, but is %d".formatted(MOST_PERMITS, capacity));
    }
    if (permits < 1 || permits > capacity) {
      throw new IllegalArgumentException(
          "permits must be from 1 to %d, which is the capacity, but is %d"
              .formatted(capacity, permits));
    }
    if (capacity == READ_WRITE_CAPACITY && permits != 1 && permits != capacity) {
      throw new IllegalArgumentException(
          "permits of a read-write lock must be 1 or all, but is " + permits);
    }
  }

  /**
   * Some permits of a semaphore. Of a capacity of 1 it is {@link #LOCK}.
   *
   * @param permits from 1 to the capacity
   * @param capacity from 1 to {@link #MOST_PERMITS}
   * @return the share
   */
  public static Share of(int permits, int capacity) {
    return new Share(permits, capacity);
  }

  /**
   * The kind of lock that this is a share of.
   *
   * @return the mode
   */
  public Mode mode() {
    if (capacity == READ_WRITE_CAPACITY) {
      return permits == 1 ? Mode.READ : Mode.WRITE;
    }
    return capacity == 1 ? Mode.LOCK : Mode.PERMITS;
  }

  /**
   * Whether it leaves nothing for others: a lock, a writer, all permits of a semaphore.
   *
   * @return true if it is the whole capacity
   */
  public boolean isWhole() {
    return permits == capacity;
  }

  /**
   * The rest of this share when the others are given back.
   *
   * @param kept from 1 to the permits of this share
   * @return a smaller share of the same capacity
   */
  public Share reducedTo(int kept) {
    if (kept > permits) {
      throw new IllegalArgumentException(
          "kept must be at most the permits held, %d, but is %d".formatted(permits, kept));
    }
    return new Share(kept, capacity);
  }

  /**
   * Names the owner of a capacity in messages: a lock, a read-write lock, a semaphore of 5.
   *
   * @param capacity of a name
   * @return for people
   */
  public static String describe(int capacity) {
    return switch (capacity) {
      case 1 -> "a lock";
      case READ_WRITE_CAPACITY -> "a read-write lock";
      default -> "a semaphore of " + capacity + " permits";
    };
  }

  /** For people: lock, read, write, or such as 2 of 5. */
  @Override
  public String toString() {
    return switch (mode()) {
      case LOCK -> "lock";
      case READ -> "read";
      case WRITE -> "write";
      case PERMITS -> permits + " of " + capacity;
    };
  }
}
