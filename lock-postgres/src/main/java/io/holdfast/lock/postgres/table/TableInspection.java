/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.table;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.LockInspection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Who holds locks and shares. To take a share away, or change a capacity, is the worker's. */
final class TableInspection implements LockInspection {

  private final LockInspection locks;
  private final TableWorker worker;

  TableInspection(LockInspection locks, TableWorker worker) {
    this.locks = locks;
    this.worker = worker;
  }

  @Override
  public CompletionStage<Optional<LockHolder>> holder(String lockName) {
    return locks.holder(lockName);
  }

  @Override
  public CompletionStage<List<LockHolder>> holders(String lockName) {
    return locks.holders(lockName);
  }

  @Override
  public CompletionStage<Boolean> changeCapacity(String lockName, int from, int to) {
    return worker.resize(lockName, from, to);
  }

  @Override
  public CompletionStage<Set<String>> names() {
    return locks.names();
  }

  @Override
  public CompletionStage<Boolean> evict(LockHolder holder) {
    return holder.share().mode() == Share.Mode.LOCK ? locks.evict(holder) : worker.evict(holder);
  }
}
