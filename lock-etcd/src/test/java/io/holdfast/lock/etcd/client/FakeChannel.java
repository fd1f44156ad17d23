/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Is in the state that the test says, and counts what is asked of it. */
public final class FakeChannel extends ManagedChannel {

  private final List<Runnable> listeners = new ArrayList<>();
  private ConnectivityState state = ConnectivityState.IDLE;
  int resets;
  int asked;
  int idled;

  /** Whether it makes calls; otherwise it throws. */
  boolean answers;

  /** Those that it has made. */
  public final List<FakeCall<?, ?>> calls = new ArrayList<>();

  public static FakeChannel answering() {
    FakeChannel channel = new FakeChannel();
    channel.answers = true;
    return channel;
  }

  public FakeCall<?, ?> lastCall() {
    return calls.get(calls.size() - 1);
  }

  void changeTo(ConnectivityState next) {
    state = next;
    List<Runnable> told = List.copyOf(listeners);
    listeners.clear();
    told.forEach(Runnable::run);
  }

  @Override
  public ConnectivityState getState(boolean connect) {
    return state;
  }

  @Override
  public void notifyWhenStateChanged(ConnectivityState source, Runnable listener) {
    assertEquals(state, source);
    listeners.add(listener);
  }

  @Override
  public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
    asked++;
    if (answers) {
      FakeCall<Q, A> call = new FakeCall<>(method);
      calls.add(call);
      return call;
    }
    throw new UnsupportedOperationException();
  }

  @Override
  public void resetConnectBackoff() {
    resets++;
  }

  @Override
  public void enterIdle() {
    idled++;
  }

  @Override
  public String authority() {
    return "fake";
  }

  @Override
  public ManagedChannel shutdown() {
    return this;
  }

  @Override
  public ManagedChannel shutdownNow() {
    return this;
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return false;
  }
}
