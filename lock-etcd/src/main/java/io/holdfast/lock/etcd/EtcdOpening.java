/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.StatusRequest;
import io.grpc.ChannelCredentials;
import io.grpc.Deadline;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.EtcdFailures;
import io.holdfast.lock.etcd.client.Member;
import io.holdfast.lock.etcd.queue.LockRequests;
import io.holdfast.lock.spi.support.Failures;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Opens a backend: connects, and refuses what cannot keep the promises. */
final class EtcdOpening {

  /** More often, and etcd would hang up. */
  private static final Duration PING_EVERY = Duration.ofSeconds(10);

  private static final long SCHEDULING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\..*");

  private EtcdOpening() {}

  static EtcdBackend open(EtcdConfig config) {
    ChannelCredentials credentials =
        config
            .tls()
            .<ChannelCredentials>map(tls -> tls.credentials().build())
            .orElseGet(InsecureChannelCredentials::create);
    List<ManagedChannel> channels =
        config.endpoints().stream().map(one -> channel(config, one, credentials)).toList();
    TimeSource time = TimeSource.host();
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < channels.size(); i++) {
      members.add(Member.own(channels.get(i), !config.endpoints().get(i).secure(), time));
    }
    EtcdConnection link =
        new EtcdConnection(members, config.credentials(), config.locks().commandTimeout());
    EtcdBackend backend = new EtcdBackend(config.locks().keys(), link, time);
    try {
      String servers =
          config.endpoints().stream().map(String::valueOf).collect(Collectors.joining(", "));
      check("Opening etcd at " + servers, backend, link, config.connectTimeout());
      return backend;
    } catch (RuntimeException e) {
      backend.close();
      throw e;
    }
  }

  private static ManagedChannel channel(
      EtcdConfig config, EtcdConfig.Endpoint endpoint, ChannelCredentials credentials) {
    return Grpc.newChannelBuilderForAddress(endpoint.host(), endpoint.port(), credentials)
        .directExecutor()
        // Nothing is sent again behind our back.
        .disableRetry()
        .keepAliveTime(PING_EVERY.toNanos(), TimeUnit.NANOSECONDS)
        .keepAliveTimeout(config.locks().commandTimeout().toNanos(), TimeUnit.NANOSECONDS)
        .build();
  }

  /**
   * Asks one member after the other, until one answers or refuses. Each has an equal part of the
   * time that is left, so that one that hangs leaves some for the others.
   */
  private static void check(
      String operation, EtcdBackend backend, EtcdConnection link, Duration limit) {
    Deadline end = Deadline.after(limit.toNanos(), TimeUnit.NANOSECONDS);
    for (int members = link.size(); ; members--) {
      Member asked = link.member();
      Deadline deadline =
          Deadline.after(end.timeRemaining(TimeUnit.NANOSECONDS) / members, TimeUnit.NANOSECONDS);
      try {
        checkVersion(link, deadline);
        backend
            .services()
            .leases()
            .seen(
                await(
                        link.callWithin(
                            deadline,
                            KVGrpc.getTxnMethod(),
                            LockRequests.mayWrite(backend.services().keys().base())),
                        deadline)
                    .getHeader());
        return;
      } catch (ExecutionException e) {
        LockException typed = EtcdFailures.typed(operation, e);
        if (typed instanceof LockUnavailableException && end.isExpired()) {
          throw tooLate(operation, limit, typed);
        }
        if (!(typed instanceof LockUnavailableException) || members == 1) {
          throw typed;
        }
        // The wait may have ended before the request did.
        link.silent(asked);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new LockUnavailableException(operation + " was interrupted", e);
      }
    }
  }

  private static LockException tooLate(String operation, Duration limit, LockException last) {
    return new LockUnavailableException(
        "%s: etcd was not ready within %s ('connect-timeout')"
            .formatted(operation, TimeText.of(limit)),
        last);
  }

  private static void checkVersion(EtcdConnection link, Deadline deadline)
      throws ExecutionException, InterruptedException {
    String version =
        await(
            link.callWithin(
                    deadline, MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance())
                .thenApply(status -> status.getVersion())
                .exceptionallyCompose(
                    failure ->
                        EtcdFailures.isRefusal(Failures.cause(failure))
                            ? CompletableFuture.completedFuture("")
                            : CompletableFuture.failedFuture(failure)),
            deadline);
    refuseIfTooOld(version);
  }

  /**
   * Looks at a version.
   *
   * @param version as the server tells it; empty if it does not
   */
  static void refuseIfTooOld(String version) {
    Matcher matcher = VERSION.matcher(version);
    if (matcher.matches()
        && Integer.parseInt(matcher.group(1)) == 3
        && Integer.parseInt(matcher.group(2)) < 4) {
      throw new LockRejectedException(
          "etcd " + version + " is too old: version 3.4 or newer is needed");
    }
  }

  /** The request has a deadline of its own; this is for a client library that forgets it. */
  private static <T> T await(CompletableFuture<T> answer, Deadline deadline)
      throws ExecutionException, InterruptedException {
    try {
      return answer.get(
          deadline.timeRemaining(TimeUnit.NANOSECONDS) + SCHEDULING_NANOS, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new ExecutionException(Status.DEADLINE_EXCEEDED.withCause(e).asRuntimeException());
    }
  }
}
