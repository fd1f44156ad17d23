/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.JavaLock;
import io.holdfast.lock.JavaReadWriteLock;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Share;
import java.util.List;

/** Two sides of one name. */
record EngineReadWriteLock(EngineLock readLock, EngineLock writeLock)
    implements DistributedReadWriteLock {

  static EngineReadWriteLock of(EngineClient client, String name, LockOptions options) {
    return new EngineReadWriteLock(
        new EngineLock(client, List.of(name), options, Share.READ),
        new EngineLock(client, List.of(name), options, Share.WRITE));
  }

  @Override
  public String name() {
    return readLock.name();
  }

  @Override
  public LockOptions options() {
    return readLock.options();
  }

  @Override
  public DistributedReadWriteLock with(LockOptions options) {
    return new EngineReadWriteLock(readLock.with(options), writeLock.with(options));
  }

  @Override
  public JavaReadWriteLock asJavaReadWriteLock() {
    return new JavaView(readLock.asJavaLock(), writeLock.asJavaLock());
  }

  private record JavaView(JavaLock readLock, JavaLock writeLock) implements JavaReadWriteLock {}
}
