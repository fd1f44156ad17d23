/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The state that holders of a lock pass on, in memory that processes share: who had it last, and
 * since when it is free. Only the holder of the lock may change it; that there are two at once is
 * counted.
 *
 * <p>The processes' monotonic clocks are one on Linux.
 */
final class SharedHandOver {

  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final int HOLDER = 0;
  private static final int FREED_AT = 1;
  private static final int GRANTS = 2;
  private static final int CROSSINGS = 3;
  private static final int LAST_PROCESS = 4;
  private static final int OVERLAPS = 5;
  private static final int FIRST_GAP = 16;

  /** Eight steps for each power of two. */
  private static final int GAPS = 64 * 8;

  private final ByteBuffer memory;

  private SharedHandOver(ByteBuffer memory) {
    this.memory = memory.order(ByteOrder.nativeOrder());
  }

  static SharedHandOver map(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      return new SharedHandOver(
          channel.map(FileChannel.MapMode.READ_WRITE, 0, (FIRST_GAP + GAPS) * (long) Long.BYTES));
    }
  }

  /** While nobody holds the lock. */
  void clear() {
    for (int i = 0; i < FIRST_GAP + GAPS; i++) {
      set(i, 0);
    }
  }

  void taken(long process) {
    long now = System.nanoTime();
    if (get(HOLDER) != 0) {
      set(OVERLAPS, get(OVERLAPS) + 1);
    }
    set(HOLDER, 1);
    long freedAt = get(FREED_AT);
    if (freedAt != 0) {
      int at = FIRST_GAP + step(Math.max(0, now - freedAt));
      set(at, get(at) + 1);
    }
    if (get(LAST_PROCESS) != process) {
      set(LAST_PROCESS, process);
      set(CROSSINGS, get(CROSSINGS) + 1);
    }
    set(GRANTS, get(GRANTS) + 1);
  }

  /** Just before it is given back. */
  void free() {
    set(HOLDER, 0);
    set(FREED_AT, System.nanoTime());
  }

  long grants() {
    return get(GRANTS);
  }

  /** How often another process had it before. */
  long crossings() {
    return get(CROSSINGS);
  }

  long overlaps() {
    return get(OVERLAPS);
  }

  /** From giving back to the next grant, to about a tenth. */
  double medianGapNanos() {
    long all = 0;
    for (int i = 0; i < GAPS; i++) {
      all += get(FIRST_GAP + i);
    }
    long sum = 0;
    int i = 0;
    while (i < GAPS - 1 && 2 * (sum += get(FIRST_GAP + i)) < all) {
      i++;
    }
    return Math.pow(2, (i + 0.5) / 8);
  }

  private static int step(long nanos) {
    return nanos < 2 ? 0 : (int) (8 * Math.log((double) nanos) / Math.log(2));
  }

  private long get(int index) {
    return (long) LONGS.getVolatile(memory, index * Long.BYTES);
  }

  private void set(int index, long value) {
    LONGS.setVolatile(memory, index * Long.BYTES, value);
  }
}
