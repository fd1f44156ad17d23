/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.order;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server of one lock. An attempt is answered at once. Every other request arrives, and is
 * answered, when a test says so: they arrive in the order in which they were sent, and are answered
 * in any. Notes what the engine should not have sent.
 */
final class ScriptedServer implements LockBackend<ScriptedClaim> {

  /** The kind of a request that waits for an answer. */
  enum Kind {
    RENEWAL,
    END,
    RELEASE
  }

  /** So short that the close of a client does not wait for answers, which it would in real time. */
  private static final Duration OPERATION_TIMEOUT = Duration.ofNanos(1);

  private final Capabilities capabilities;
  private final TimeSource time;
  private final List<String> broken;
  private final List<ScriptedClaim> claims = new ArrayList<>();
  private final List<Request<?>> line = new ArrayList<>();
  private final List<Request<?>> open = new ArrayList<>();

  /** Those that were given up before they arrived, and may arrive at any time. */
  private final List<Request<?>> strays = new ArrayList<>();

  private @Nullable ScriptedClaim owner;
  private long lastToken;
  private boolean closed;
  private int sent;

  ScriptedServer(Capabilities capabilities, TimeSource time, List<String> broken) {
    this.capabilities = capabilities;
    this.time = time;
    this.broken = broken;
  }

  int sent() {
    return sent;
  }

  boolean isHeld() {
    return owner != null && owns(owner);
  }

  ScriptedClaim claimOf(String ownerId) {
    return claims.stream()
        .filter(claim -> claim.request.ownerId().equals(ownerId))
        .findFirst()
        .orElseThrow();
  }

  boolean hasNew() {
    return !line.isEmpty();
  }

  boolean hasStrays() {
    return !strays.isEmpty();
  }

  List<Request<?>> unanswered(Kind kind) {
    return open.stream().filter(request -> request.kind == kind).toList();
  }

  /** The request that was sent first of those that have not arrived. */
  void arrives() {
    line.remove(0).arrive();
  }

  void strayArrives() {
    strays.remove(0).arrive();
  }

  /** All requests that were sent before it arrive before it. */
  void answers(Request<?> request) {
    while (line.contains(request)) {
      arrives();
    }
    open.remove(request);
    request.answer();
  }

  /**
   * There is no answer. If it has not arrived, it is lost; but for an earlier end, which arrives
   * later, as that is worse.
   */
  void fails(Request<?> request) {
    open.remove(request);
    if (line.remove(request) && request.kind == Kind.END) {
      strays.add(request);
    }
    request.fail(new LockUnavailableException("No answer"));
  }

  /** Of one that has not arrived: it never does. */
  void refuses(Request<?> request) {
    open.remove(request);
    line.remove(request);
    request.fail(new LockRejectedException("Not permitted"));
  }

  void answersAll() {
    while (hasStrays()) {
      strayArrives();
    }
    while (!open.isEmpty()) {
      answers(open.get(0));
    }
  }

  /** As an administrator would. The holder is told by its next request, or by a signal. */
  void takesAway() {
    if (owner != null) {
      owner.takenAway = true;
      owner = null;
    }
  }

  Optional<ScriptedClaim> notSignalled() {
    return claims.stream().filter(claim -> claim.takenAway && !claim.signalled).findFirst();
  }

  boolean owns(ScriptedClaim claim) {
    return owner == claim && claim.keptUntil - time.nanos() > 0;
  }

  /** How long another claim has it for; empty if none has. */
  Optional<Duration> takenByAnother(ScriptedClaim claim) {
    return owner != null && owner != claim && owns(owner)
        ? Optional.of(Duration.ofNanos(owner.keptUntil - time.nanos()))
        : Optional.empty();
  }

  long grant(ScriptedClaim claim) {
    owner = claim;
    return ++lastToken;
  }

  void takesBack() {
    owner = null;
  }

  long now() {
    return time.nanos();
  }

  /** Notes what should not have been sent. */
  void broken(String what) {
    broken.add(what);
  }

  <T> CompletionStage<T> send(Kind kind, Supplier<T> work, Consumer<T> told) {
    count(kind.toString());
    Request<T> request = new Request<>(kind, work, told);
    line.add(request);
    open.add(request);
    return request.answer;
  }

  void count(String what) {
    sent++;
    if (closed) {
      broken.add(what + " is sent after the close");
    }
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  @Override
  public Duration operationTimeout() {
    return OPERATION_TIMEOUT;
  }

  @Override
  public ScriptedClaim claim(ClaimRequest request, ClaimSignals signals) {
    ScriptedClaim claim = new ScriptedClaim(this, request, signals);
    claims.add(claim);
    return claim;
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<ScriptedClaim>> requests) {
    long sentAt = time.nanos();
    List<RenewalRequest<ScriptedClaim>> asked = List.copyOf(requests);
    for (RenewalRequest<ScriptedClaim> one : asked) {
      one.claim().checkMayAsk("renewed");
      if (one.claim().promisedUntil - sentAt <= 0) {
        broken.add("renewed though its time is over");
      }
    }
    return send(
        Kind.RENEWAL,
        () -> asked.stream().map(one -> one.claim().renewed(one.ttl())).toList(),
        answers -> {
          for (int i = 0; i < answers.size(); i++) {
            asked.get(i).claim().tell(sentAt, answers.get(i));
          }
        });
  }

  @Override
  public void close() {
    closed = true;
  }
}
