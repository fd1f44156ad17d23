/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A link to a server that can be made slow, silent or broken. It listens on the loopback interface
 * of this JVM, and never drops bytes inside a living connection: what is held back arrives late,
 * even if its sender has gone away meanwhile. For any number of threads.
 */
public final class TcpProxy implements AutoCloseable {

  /** The prefix of the names of its threads. */
  public static final String THREADS = "holdfast-proxy-";

  private static final Logger LOG = LoggerFactory.getLogger(TcpProxy.class);
  private static final int CONNECT_TIMEOUT_MILLIS = 10_000;

  private final InetSocketAddress target;
  private final ProxyFaults faults = new ProxyFaults();
  private final Set<ProxyLink> links = ConcurrentHashMap.newKeySet();
  private final AtomicLong made = new AtomicLong();
  private final List<TcpProxy> others;
  private final ProxyPort port;

  private TcpProxy(InetSocketAddress target, List<TcpProxy> others) {
    this.target = target;
    this.others = others;
    this.port = ProxyPort.open(this::connect);
  }

  /**
   * Opens a faultless link.
   *
   * @param host of the server
   * @param port of the server
   * @return a proxy that accepts connections
   */
  public static TcpProxy to(String host, int port) {
    return to(host, port, List.of());
  }

  /**
   * Opens faultless links to several servers, with a port for each. Each fault applies to all of
   * them.
   *
   * @param servers one or more
   * @return a proxy that accepts connections
   */
  public static TcpProxy to(List<? extends Server> servers) {
    List<TcpProxy> others = new ArrayList<>();
    for (Server server : servers.subList(1, servers.size())) {
      others.add(to(server.host(), server.port()));
    }
    return to(servers.get(0).host(), servers.get(0).port(), others);
  }

  private static TcpProxy to(String host, int port, List<TcpProxy> others) {
    return new TcpProxy(new InetSocketAddress(host, port), others);
  }

  /**
   * Where clients connect.
   *
   * @return an address of the loopback interface
   */
  public String host() {
    return Ports.LOOPBACK;
  }

  /**
   * Where clients connect.
   *
   * @return the port
   */
  public int port() {
    return port.number();
  }

  /**
   * Where clients of each server connect.
   *
   * @return the ports, in the order of the servers
   */
  public List<Integer> ports() {
    List<Integer> ports = new ArrayList<>(List.of(port()));
    others.forEach(other -> ports.add(other.port()));
    return ports;
  }

  /**
   * Adds latency to all bytes of a direction, those that are under way included. Throughput stays
   * as it is.
   *
   * @param direction which way
   * @param by how much; zero for none
   */
  public void delay(Direction direction, Duration by) {
    faults.delay(direction, by, 0);
    others.forEach(other -> other.delay(direction, by));
  }

  /**
   * Adds latency to all bytes of a direction on the connections that are made from now on. Those
   * that live are as quick as before: what a new connection brings is overtaken by what an older
   * one brings.
   *
   * @param direction which way
   * @param by how much; zero for none
   */
  public void delayNew(Direction direction, Duration by) {
    faults.delay(direction, by, made.get());
    others.forEach(other -> other.delayNew(direction, by));
  }

  /**
   * Lets only so many bytes through: after each lot, the next waits until the line has had time for
   * it. On each connection by itself.
   *
   * @param direction which way
   * @param bytesPerSecond how many, 1 or more
   */
  public void throttle(Direction direction, long bytesPerSecond) {
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException("bytesPerSecond must be positive: " + bytesPerSecond);
    }
    faults.throttle(direction, bytesPerSecond);
    others.forEach(other -> other.throttle(direction, bytesPerSecond));
  }

  /**
   * Holds back all bytes, and ends of streams, until {@link #heal}; then they are delivered. New
   * connections are accepted and held up as well.
   *
   * @param directions which ways
   */
  public void stall(Direction... directions) {
    faults.stall(List.of(directions), 0, Long.MAX_VALUE);
    others.forEach(other -> other.stall(directions));
  }

  /**
   * Holds back what is on its way on the connections that live now, until {@link #heal} or {@link
   * #deliverButEnds}. New connections are not concerned: what a client sends on one of them
   * overtakes what it sent before, even if it has closed the old one meanwhile.
   *
   * @param directions which ways
   */
  public void stallExisting(Direction... directions) {
    faults.stall(List.of(directions), 0, made.get());
    others.forEach(other -> other.stallExisting(directions));
  }

  /**
   * Holds back what is on its way on a single one of the living connections, as {@link
   * #stallExisting} does. With several servers, on that one of each.
   *
   * @param place of the connection among those that live, in the order in which they were made,
   *     from 0 on; nothing is done if there are fewer
   * @param directions which ways
   */
  public void stallConnection(int place, Direction... directions) {
    links.stream()
        .map(link -> link.number)
        .sorted()
        .skip(place)
        .findFirst()
        .ifPresent(number -> faults.stall(List.of(directions), number, number + 1));
    others.forEach(other -> other.stallConnection(place, directions));
  }

  /**
   * Holds back one direction of the link to one of several servers, as {@link #stall} does.
   *
   * @param server its place in {@link #ports}
   * @param direction which way
   */
  public void stallOne(int server, Direction direction) {
    ProxyFaults one = server == 0 ? faults : others.get(server - 1).faults;
    one.stall(List.of(direction), 0, Long.MAX_VALUE);
  }

  /** Resets all living connections, once. Data that was held back in them is gone. */
  public void cut() {
    links.forEach(ProxyLink::reset);
    others.forEach(TcpProxy::cut);
  }

  /** Resets all living connections and refuses new ones until {@link #heal}. */
  public void refuse() {
    port.stopListening();
    cut();
    port.keep();
    others.forEach(TcpProxy::refuse);
  }

  /**
   * Loses one reply: on the first connection on which from now on a request is followed by bytes of
   * the server, these are swallowed, and the connection is reset. The server has carried out the
   * request, and its client cannot know. With several servers, one reply of each.
   */
  public void loseNextReply() {
    faults.loseNextReply();
    others.forEach(TcpProxy::loseNextReply);
  }

  /**
   * Ends all faults: no delay, no throttle, no stall, no loss ordered, new connections are
   * accepted.
   */
  public void heal() {
    port.listenAgain();
    faults.heal();
    others.forEach(TcpProxy::heal);
  }

  /**
   * Ends all stalls and no other fault; but of the connections that live now the server does not
   * learn that their client has closed them, until {@link #heal}. So it gets what was held back,
   * and waits for more, as it does when a network has lost the end of a connection.
   */
  public void deliverButEnds() {
    faults.deliver(made.get());
    others.forEach(TcpProxy::deliverButEnds);
  }

  /**
   * How many connections live.
   *
   * @return the number
   */
  public int connections() {
    return links.size() + others.stream().mapToInt(TcpProxy::connections).sum();
  }

  /**
   * How many connections have been made since it was opened.
   *
   * @return the number, of those that reached the server
   */
  public long connectionsMade() {
    return made.get() + others.stream().mapToLong(TcpProxy::connectionsMade).sum();
  }

  /** Resets all connections and stops listening. Idempotent. */
  @Override
  public void close() {
    port.giveUp();
    refuse();
    others.forEach(TcpProxy::close);
  }

  private void connect(ServerSocket acceptedBy, Socket client) {
    Socket server = new Socket();
    try {
      server.connect(target, CONNECT_TIMEOUT_MILLIS);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
    } catch (IOException e) {
      LOG.debug("Proxy on port {}: no connection to {}", acceptedBy.getLocalPort(), target, e);
      ProxyLink.abort(client);
      ProxyLink.abort(server);
      return;
    }
    ProxyLink[] self = new ProxyLink[1];
    long number = made.getAndIncrement();
    ProxyLink link = new ProxyLink(number, client, server, faults, () -> links.remove(self[0]));
    self[0] = link;
    links.add(link);
    link.start();
    if (acceptedBy.isClosed()) {
      link.reset();
    }
  }
}
