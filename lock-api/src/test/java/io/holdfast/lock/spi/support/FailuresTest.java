/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class FailuresTest {

  @Test
  void theCauseIsFoundBehindAllThatFuturesPutAroundIt() {
    IOException cut = new IOException("cut", new IllegalStateException("its own cause"));
    assertSame(cut, Failures.cause(cut));
    assertSame(cut, Failures.cause(new CompletionException(cut)));
    assertSame(cut, Failures.cause(new ExecutionException(new CompletionException(cut))));
    CompletionException bare = new CompletionException("without a cause", null);
    assertSame(bare, Failures.cause(new ExecutionException(bare)));
  }
}
