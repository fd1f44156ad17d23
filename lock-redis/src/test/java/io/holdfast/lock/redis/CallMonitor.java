/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.until;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads all that a server does, with MONITOR, and picks out the calls of the limiter's script. */
final class CallMonitor implements AutoCloseable {

  private static final String END = "the end";
  private static final Duration MANY_CALLS_TAKE = Duration.ofMinutes(1);
  private static final Pattern CALL =
      Pattern.compile(
          "\\+(\\d+)\\.(\\d{6}) \\[0 [^l\\]][^\\]]*\\] \"EVALSHA\" \"[0-9a-f]+\" \"1\""
              + " \"([^\"]*)\" \"\\d+\" \"\\d+\" \"(\\d+)\"");
  private static final Pattern GRANT =
      Pattern.compile("\\+[0-9.]+ \\[0 lua\\] \"RPUSH\" \"([^\"]*)\" \"(\\d+) \\d+ \\d+\"");

  private final RedisServer server;
  private final Socket socket;
  private final Thread reader;
  private final List<MonitoredCall> calls = new ArrayList<>();
  private final AtomicInteger count = new AtomicInteger();

  private CallMonitor(RedisServer server, Socket socket) {
    this.server = server;
    this.socket = socket;
    this.reader = new Thread(this::read, "monitor");
  }

  static CallMonitor of(RedisServer server) throws IOException {
    CallMonitor monitor = new CallMonitor(server, new Socket(server.host(), server.port()));
    monitor.socket.getOutputStream().write("MONITOR\r\n".getBytes(UTF_8));
    monitor.reader.start();
    until("the monitor is on", () -> server.command("CLIENT", "LIST").contains("cmd=monitor"));
    return monitor;
  }

  void awaitCalls(int least) {
    Conditions.until(least + " calls", MANY_CALLS_TAKE, () -> count.get() >= least);
  }

  /** Everything until now. */
  List<MonitoredCall> end() throws InterruptedException {
    server.command("ECHO", END);
    reader.join();
    return calls;
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
      for (String line = lines.readLine();
          line != null && !line.contains(END);
          line = lines.readLine()) {
        take(line);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void take(String line) {
    Matcher call = CALL.matcher(line);
    Matcher grant = GRANT.matcher(line);
    if (call.matches()) {
      long at = Long.parseLong(call.group(1) + call.group(2));
      calls.add(
          new MonitoredCall(call.group(3), Integer.parseInt(call.group(4)), at, Optional.empty()));
      count.incrementAndGet();
    } else if (grant.matches()) {
      // A script runs alone, so this is what the last call has granted.
      MonitoredCall last = calls.remove(calls.size() - 1);
      calls.add(
          new MonitoredCall(
              last.key(),
              last.permits(),
              last.begunAt(),
              Optional.of(Long.parseLong(grant.group(2)))));
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
