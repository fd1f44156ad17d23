/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The batches of a {@link Batcher}, which a test answers when it wants to. For one thread. */
final class SentBatches implements Batcher.Sender<Integer, String> {

  final List<List<Integer>> sent = new ArrayList<>();
  final List<CompletableFuture<List<CompletableFuture<String>>>> underWay = new ArrayList<>();

  @Override
  public CompletionStage<List<CompletableFuture<String>>> send(List<Integer> requests) {
    CompletableFuture<List<CompletableFuture<String>>> answer = new CompletableFuture<>();
    sent.add(requests);
    underWay.add(answer);
    return answer;
  }

  /** Answers each request of a batch with its number. */
  void answer(int batch) {
    underWay
        .get(batch)
        .complete(
            sent.get(batch).stream()
                .map(request -> CompletableFuture.completedFuture("to " + request))
                .toList());
  }
}
