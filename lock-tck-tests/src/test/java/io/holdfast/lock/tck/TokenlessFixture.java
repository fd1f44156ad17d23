/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.testsupport.Records;
import java.util.concurrent.CompletionStage;

/** The reference backend without its tokens. */
final class TokenlessFixture extends MemoryFixture {

  @Override
  public Capabilities promises() {
    return Records.with(PROMISES, Capabilities.Fencing.NONE);
  }

  @Override
  public LockClient open(ClientOptions options) {
    ForwardingBackend tokenless =
        new ForwardingBackend(server.backend()) {
          @Override
          public Capabilities capabilities() {
            return promises();
          }

          @Override
          CompletionStage<Attempt> attempt(Claim claim) {
            return super.attempt(claim).thenApply(TokenlessFixture::withoutToken);
          }
        };
    return Locks.using(tokenless, options);
  }

  private static Attempt withoutToken(Attempt answer) {
    return answer instanceof Attempt.Granted granted
        ? new Attempt.Granted(0, granted.leaseTime())
        : answer;
  }
}
