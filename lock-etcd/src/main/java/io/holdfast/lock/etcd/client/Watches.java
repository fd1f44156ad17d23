/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.WatchCancelRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.spi.support.DoublingPause;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One stream on which all waiters of a client watch the contenders ahead of them. A watch tells
 * once: that the key is gone, or that the watch is. The waiter that is told looks anew, and watches
 * again if there is reason to; so nothing has to be resumed here.
 */
public final class Watches {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

  /** Also how long a stream has to last for the next pause to be the first again. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  /** A watch on one key, which tells once. Guarded by the lock, but for what it has told. */
  public static final class Watch {

    private final WatchCreateRequest request;
    private final Predicate<Event> ends;
    private final Runnable changed;
    private Optional<Long> id = Optional.empty();
    private boolean wanted = true;
    private volatile boolean told;

    private Watch(WatchCreateRequest request, Predicate<Event> ends, Runnable changed) {
      this.request = request;
      this.ends = ends;
      this.changed = changed;
    }

    /** Whether it will tell of this key, or of the keys from this one on. */
    public boolean isOn(ByteString key) {
      return !told && request.getKey().equals(key);
    }

    private void tell() {
      told = true;
      changed.run();
    }
  }

  private final EtcdConnection link;
  private final TimeSource time;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Stream current;
  private Duration pause = FIRST_PAUSE;
  private long notBefore;
  private boolean closed;

  public Watches(EtcdConnection link, TimeSource time) {
    this.link = link;
    this.time = time;
    this.notBefore = time.nanos();
  }

  /**
   * Watches for the deletion of a key.
   *
   * @param key of a contender
   * @param revision from when on
   * @param changed told once at most, on a thread of gRPC or of the timer
   */
  public Watch on(ByteString key, long revision, Runnable changed) {
    WatchCreateRequest.Builder request =
        WatchCreateRequest.newBuilder().setKey(key).addFilters(WatchCreateRequest.FilterType.NOPUT);
    return on(new Watch(request.setStartRevision(revision).build(), any -> true, changed));
  }

  /**
   * Watches what becomes of keys, until an event is enough.
   *
   * @param key the first
   * @param end behind the last; empty for one key
   * @param ends asked of each event in turn, with the key as it was before
   * @param revision from when on
   * @param changed told once at most, on a thread of gRPC or of the timer
   */
  public Watch onChanges(
      ByteString key, ByteString end, Predicate<Event> ends, long revision, Runnable changed) {
    WatchCreateRequest.Builder request =
        WatchCreateRequest.newBuilder().setKey(key).setRangeEnd(end).setPrevKv(true);
    return on(new Watch(request.setStartRevision(revision).build(), ends, changed));
  }

  private Watch on(Watch watch) {
    lock.lock();
    try {
      if (isPausing()) {
        tellLater(List.of(watch));
      } else if (!closed) {
        stream().create(watch);
      }
      return watch;
    } finally {
      lock.unlock();
    }
  }

  public void cancel(Watch watch) {
    lock.lock();
    try {
      if (current != null) {
        current.cancel(watch);
      }
    } finally {
      lock.unlock();
    }
  }

  /** After a stream that was refused or broke. */
  private boolean isPausing() {
    return current == null && time.nanos() - notBefore < 0;
  }

  /** The sooner a stream ends, time and again, the longer it takes until there is another. */
  private void pauseAfter(long openedAt) {
    long now = time.nanos();
    if (now - openedAt >= LONGEST_PAUSE.toNanos()) {
      pause = FIRST_PAUSE;
    }
    notBefore = now + pause.toNanos();
    pause = DoublingPause.after(pause, LONGEST_PAUSE);
  }

  private Stream stream() {
    Member member = link.member();
    Stream stream = current;
    if (stream != null && stream.member != member) {
      current = null;
      stream.end(Status.CANCELLED.asRuntimeException());
      stream = null;
    }
    if (stream == null) {
      stream = new Stream(member);
      current = stream;
      stream.open();
    }
    return stream;
  }

  public void close() {
    lock.lock();
    try {
      closed = true;
      if (current != null) {
        current.end(Status.CANCELLED.asRuntimeException());
      }
    } finally {
      lock.unlock();
    }
  }

  private final class Stream implements StreamObserver<WatchResponse> {

    final Member member;
    private final Map<Long, Watch> watches = new HashMap<>();
    private final Deque<Watch> asked = new ArrayDeque<>();
    private @Nullable ClientCallStreamObserver<WatchRequest> requests;
    private final long openedAt = time.nanos();
    private boolean ended;

    Stream(Member member) {
      this.member = member;
    }

    /** Ends it if an interceptor of the application's channel throws. */
    void open() {
      try {
        requests = link.open(member, WatchGrpc.getWatchMethod(), this);
      } catch (RuntimeException | Error e) {
        end(e);
      }
    }

    private void send(WatchRequest.Builder request) {
      Objects.requireNonNull(requests).onNext(request.build());
    }

    void create(Watch watch) {
      if (ended) {
        tellLater(List.of(watch));
        return;
      }
      asked.add(watch);
      send(WatchRequest.newBuilder().setCreateRequest(watch.request));
    }

    /**
     * If etcd has not numbered it yet, that is still to come. One of an earlier stream may have the
     * number of another's here.
     */
    void cancel(Watch watch) {
      watch.wanted = false;
      if (watch.id.isPresent() && watches.remove(watch.id.get(), watch)) {
        sendCancel(watch.id.get());
      }
    }

    private void sendCancel(long id) {
      if (!ended) {
        send(
            WatchRequest.newBuilder()
                .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(id)));
      }
    }

    @Override
    public void onNext(WatchResponse response) {
      member.answered();
      Optional<Watch> told;
      lock.lock();
      try {
        told = take(response);
      } finally {
        lock.unlock();
      }
      told.ifPresent(watch -> watch.tell());
    }

    /** The watch that has to be told of a response. */
    private Optional<Watch> take(WatchResponse response) {
      long id = response.getWatchId();
      if (response.getCreated()) {
        // Etcd answers in the order of the requests.
        created(asked.remove(), id, response.getCanceled());
        return Optional.empty();
      }
      Watch watch = watches.get(id);
      if (watch == null
          || (!response.getCanceled() && response.getEventsList().stream().noneMatch(watch.ends))) {
        return Optional.empty();
      }
      watches.remove(id);
      if (!response.getCanceled()) {
        sendCancel(id);
      }
      return Optional.of(watch);
    }

    private void created(Watch watch, long id, boolean refused) {
      if (refused) {
        // For its token, say. The waiter finds out at the next poll, with a new one.
        end(Status.PERMISSION_DENIED.asRuntimeException());
      } else if (watch.wanted) {
        watch.id = Optional.of(id);
        watches.put(id, watch);
      } else {
        sendCancel(id);
      }
    }

    @Override
    public void onError(Throwable failure) {
      end(failure);
    }

    @Override
    public void onCompleted() {
      end(Status.UNAVAILABLE.asRuntimeException());
    }

    void end(Throwable failure) {
      lock.lock();
      try {
        if (ended) {
          return;
        }
        ended = true;
        if (current == this) {
          current = null;
          pauseAfter(openedAt);
        }
        if (requests != null) {
          requests.cancel("given up", failure);
        }
        List<Watch> broken = new ArrayList<>(watches.values());
        broken.addAll(asked);
        tellLater(broken);
      } finally {
        lock.unlock();
      }
    }
  }

  private void tellLater(List<Watch> broken) {
    if (!closed && !broken.isEmpty()) {
      Duration left = Duration.ofNanos(notBefore - time.nanos());
      time.schedule(
          left.compareTo(FIRST_PAUSE) > 0 ? left : FIRST_PAUSE,
          () -> broken.forEach(watch -> watch.tell()));
    }
  }
}
