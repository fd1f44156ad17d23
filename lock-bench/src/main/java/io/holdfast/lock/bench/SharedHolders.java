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
 * Counts the permits that are held just now, in memory that processes share. That there are more
 * than there should be is counted.
 */
final class SharedHolders {

  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final int HELD = 0;
  private static final int OVERLAPS = Long.BYTES;
  private static final int SIZE = 2 * Long.BYTES;

  private final ByteBuffer memory;

  private SharedHolders(ByteBuffer memory) {
    this.memory = memory.order(ByteOrder.nativeOrder());
  }

  static SharedHolders map(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      return new SharedHolders(channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE));
    }
  }

  /** While nobody holds any. */
  void clear() {
    LONGS.setVolatile(memory, HELD, 0L);
    LONGS.setVolatile(memory, OVERLAPS, 0L);
  }

  /** Just after they are taken. */
  void taken(long permits, long capacity) {
    if ((long) LONGS.getAndAdd(memory, HELD, permits) + permits > capacity) {
      long unused = (long) LONGS.getAndAdd(memory, OVERLAPS, 1L);
    }
  }

  /** Just before they are given back. */
  void free(long permits) {
    long unused = (long) LONGS.getAndAdd(memory, HELD, -permits);
  }

  long overlaps() {
    return (long) LONGS.getVolatile(memory, OVERLAPS);
  }
}
