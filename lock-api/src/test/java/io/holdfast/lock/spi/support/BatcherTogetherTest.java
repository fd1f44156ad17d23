/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests what goes out together because it was asked for together, and what stays apart. */
class BatcherTogetherTest {

  private final SentBatches batches = new SentBatches();
  private final Batcher<Integer, String> batcher = new Batcher<>(3, 2, batches);

  @Test
  void requestsMadeTogetherGoOutAsOneAtTheEnd() {
    List<CompletableFuture<String>> answers = new ArrayList<>();
    Batcher.together(
        () -> {
          answers.add(batcher.ask(1));
          Batcher.together(() -> answers.add(batcher.ask(2)));
          assertEquals(List.of(), batches.sent);
        });
    assertEquals(List.of(List.of(1, 2)), batches.sent);
    batches.answer(0);
    assertEquals(List.of("to 1", "to 2"), answers.stream().map(CompletableFuture::join).toList());
    batcher.ask(3);
    assertEquals(List.of(3), batches.sent.get(1));
  }

  @Test
  void requestsMadeTogetherGoOutThoughAskingFails() {
    assertThrows(
        IllegalStateException.class,
        () ->
            Batcher.together(
                () -> {
                  batcher.ask(1);
                  throw new IllegalStateException("on purpose");
                }));
    assertEquals(List.of(List.of(1)), batches.sent);
  }

  /** As a request to several servers that becomes one to each of them. */
  @Test
  void aSenderMayAskAnotherBatcher() {
    Batcher<Integer, String> outer =
        new Batcher<>(
            10,
            1,
            requests ->
                CompletableFuture.completedFuture(requests.stream().map(batcher::ask).toList()));
    List<CompletableFuture<String>> answers = new ArrayList<>();
    Batcher.together(() -> answers.add(outer.ask(1)));
    assertEquals(List.of(List.of(1)), batches.sent);
    batches.answer(0);
    assertEquals("to 1", answers.get(0).orTimeout(30, TimeUnit.SECONDS).join());
  }

  @Test
  void aFailureApartLeavesTheOthersTogether() {
    Batcher.together(
        () -> {
          assertThrows(
              IllegalStateException.class,
              () ->
                  Batcher.apart(
                      () -> {
                        throw new IllegalStateException("on purpose");
                      }));
          batcher.ask(1);
          batcher.ask(2);
        });
    assertEquals(List.of(List.of(1, 2)), batches.sent);
  }

  @Test
  void requestsApartWaitForNothingAndNothingWaitsForThem() {
    Batcher.together(
        () -> {
          CompletableFuture<String> before = batcher.ask(1);
          Batcher.apart(
              () -> {
                batches.answer(0);
                assertEquals("to 1", before.join());
                CompletableFuture<String> own = batcher.ask(2);
                batches.answer(1);
                assertEquals("to 2", own.join());
              });
          batcher.ask(3);
          batcher.ask(4);
          assertEquals(2, batches.sent.size());
        });
    assertEquals(List.of(3, 4), batches.sent.get(2));
  }

  @Test
  void anotherThreadTakesNothingOfWhatIsAskedTogether() {
    Batcher.together(
        () -> {
          batcher.ask(1);
          CompletableFuture.runAsync(() -> batcher.ask(2)).join();
          batcher.ask(3);
        });
    assertEquals(List.of(List.of(2), List.of(1, 3)), batches.sent);
  }

  @Test
  void requestsPassedOnTogetherArriveAsOneAtTheEnd() {
    List<List<Integer>> received = new ArrayList<>();
    List<List<Integer>> others = new ArrayList<>();
    Consumer<List<Integer>> receiver = received::add;
    Consumer<List<Integer>> other = others::add;
    Batcher.pass(receiver, 1);
    assertEquals(List.of(List.of(1)), received);
    Batcher.together(
        () -> {
          Batcher.pass(receiver, 2);
          Batcher.pass(other, 3);
          Batcher.pass(receiver, 4);
          assertEquals(1, received.size());
        });
    assertEquals(List.of(List.of(1), List.of(2, 4)), received);
    assertEquals(List.of(List.of(3)), others);
  }
}
