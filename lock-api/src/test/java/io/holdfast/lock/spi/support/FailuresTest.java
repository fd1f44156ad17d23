/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.util.List;
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

  @Test
  void eachCauseIsFoundOnce() {
    IOException inner = new IOException("inner");
    IOException outer = new IOException("outer", inner);
    assertEquals(List.of(outer, inner), Failures.causes(outer));
    inner.initCause(outer);
    assertEquals(List.of(outer, inner), Failures.causes(outer));
    assertEquals(List.of(inner, outer), Failures.causes(inner));
  }

  @Test
  void whatFuturesPutAroundEachOtherHasAnEnd() {
    Wrapper inner = new Wrapper();
    CompletionException outer = new CompletionException(inner);
    inner.initCause(outer);
    assertSame(inner, Failures.cause(outer));
  }

  /** Its cause is told later. */
  private static final class Wrapper extends ExecutionException {
    private static final long serialVersionUID = 1;
  }
}
