/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;

/**
 * Sockets for the driver, which count round trips: how often something is sent after something was
 * received. For one test at a time.
 */
public final class CountingSockets extends SocketFactory {

  private static final AtomicInteger TRIPS = new AtomicInteger();

  /** For the driver, which makes one by its name. */
  public CountingSockets() {}

  /** On all connections since this class was loaded. */
  static int roundTrips() {
    return TRIPS.get();
  }

  /** A database with the driver told to use this. */
  static String counted(String url) {
    return url
        + (url.contains("?") ? "&" : "?")
        + "socketFactory="
        + CountingSockets.class.getName();
  }

  @Override
  public Socket createSocket() {
    return new Counted();
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
    throw new UnsupportedOperationException();
  }

  private static final class Counted extends Socket {

    private volatile boolean answered = true;

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
          int read = super.read(bytes, from, length);
          answered |= read > 0;
          return read;
        }
      };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
          if (answered) {
            answered = false;
            TRIPS.incrementAndGet();
          }
          out.write(bytes, from, length);
        }
      };
    }
  }
}
