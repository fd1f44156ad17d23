/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.Lease;
import java.util.List;
import java.util.stream.Stream;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The leases that a subscriber of Reactor holds through Spring: they are in its context. */
final class ReactiveLeases {

  private static final Class<ReactiveLeases> KEY = ReactiveLeases.class;
  private static final List<Lease> NONE = List.of();

  private ReactiveLeases() {}

  /** Anything that is subscribed to with this context holds one more lease. */
  static Context add(Context context, Lease lease) {
    return context.put(
        KEY, Stream.concat(context.getOrDefault(KEY, NONE).stream(), Stream.of(lease)).toList());
  }

  /** Throws {@link io.holdfast.lock.LockLostException} if one is not valid any more. */
  static void ensureValid(ContextView context) {
    context.getOrDefault(KEY, NONE).forEach(Lease::ensureValid);
  }
}
