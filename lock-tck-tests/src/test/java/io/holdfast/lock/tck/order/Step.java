/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.order;

import io.holdfast.lock.tck.order.ScriptedServer.Kind;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A step that may happen next to the leases of a {@link TenureScene}. */
@SuppressWarnings("ImmutableEnumChecker") // Functions without state.
enum Step {
  /** A third of the TTL passes: renewals are due, and soon the validity is over. */
  TIME_PASSES(scene -> true, TenureScene::timePasses),
  /** For so long that no lease is valid afterwards; timers go off late. */
  SUSPENDED(scene -> true, TenureScene::suspend),

  REQUEST_ARRIVES(scene -> scene.server.hasNew(), scene -> scene.server.arrives()),
  GIVEN_UP_END_ARRIVES(scene -> scene.server.hasStrays(), scene -> scene.server.strayArrives()),
  RENEWAL_ANSWERED(scene -> scene.open(Kind.RENEWAL) > 0, scene -> scene.answer(Kind.RENEWAL)),
  RENEWAL_FAILS(scene -> scene.open(Kind.RENEWAL) > 0, scene -> scene.fail(Kind.RENEWAL)),
  /** The answer overtakes those to renewals that were sent before. */
  LAST_RENEWAL_ANSWERED(scene -> scene.open(Kind.RENEWAL) > 1, TenureScene::answerLastRenewal),
  LAST_RENEWAL_FAILS(scene -> scene.open(Kind.RENEWAL) > 1, TenureScene::failLastRenewal),
  END_ANSWERED(scene -> scene.open(Kind.END) > 0, scene -> scene.answer(Kind.END)),
  END_FAILS(scene -> scene.open(Kind.END) > 0, scene -> scene.fail(Kind.END)),
  END_REFUSED(TenureScene::mayRefuseEnd, TenureScene::refuseEnd),
  RELEASE_ANSWERED(scene -> scene.open(Kind.RELEASE) > 0, scene -> scene.answer(Kind.RELEASE)),
  RELEASE_FAILS(scene -> scene.open(Kind.RELEASE) > 0, scene -> scene.fail(Kind.RELEASE)),
  TAKEN_AWAY(scene -> scene.server.isHeld(), scene -> scene.server.takesAway()),
  LOSS_SIGNALLED(
      scene -> scene.server.notSignalled().isPresent(),
      scene -> scene.server.notSignalled().orElseThrow().signalsLoss()),

  ACQUIRE(TenureScene::mayAcquire, TenureScene::acquire),
  EXTEND(TenureScene::isHeld, TenureScene::extend),
  END_EARLIER(TenureScene::mayEndEarlier, TenureScene::endEarlier),
  RELEASE(TenureScene::isHeld, TenureScene::release),
  CLOSE(scene -> !scene.isClosed(), TenureScene::close);

  private final Predicate<TenureScene> possible;
  private final Consumer<TenureScene> work;

  Step(Predicate<TenureScene> possible, Consumer<TenureScene> work) {
    this.possible = possible;
    this.work = work;
  }

  boolean isPossible(TenureScene scene) {
    return possible.test(scene);
  }

  void take(TenureScene scene) {
    work.accept(scene);
  }
}
