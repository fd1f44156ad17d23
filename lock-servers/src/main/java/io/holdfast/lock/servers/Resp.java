/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Just enough of Redis' wire protocol to send a command and read its reply. */
final class Resp implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 10_000;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  Resp(String host, int port) throws IOException {
    socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream());
      out = socket.getOutputStream();
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** The reply, flat: one element for each value, the empty text for nil. */
  List<String> call(String... command) throws IOException, ErrorReply {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(ascii("*" + command.length + "\r\n"));
    for (String part : command) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      request.writeBytes(ascii("$" + bytes.length + "\r\n"));
      request.writeBytes(bytes);
      request.writeBytes(ascii("\r\n"));
    }
    out.write(request.toByteArray());
    List<String> values = new ArrayList<>();
    read(values);
    return values;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private void read(List<String> values) throws IOException, ErrorReply {
    String line = line();
    String rest = line.substring(1);
    switch (line.charAt(0)) {
      case '+', ':' -> values.add(rest);
      case '-' -> throw new ErrorReply(rest);
      case '$' -> values.add(bulk(Integer.parseInt(rest)));
      case '*' -> {
        int count = Integer.parseInt(rest);
        for (int i = 0; i < count; i++) {
          read(values);
        }
      }
      default -> throw new IOException("No reply of Redis: " + line);
    }
  }

  private String bulk(int length) throws IOException {
    if (length < 0) {
      return "";
    }
    byte[] bytes = in.readNBytes(length + 2);
    if (bytes.length < length + 2) {
      throw new EOFException();
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException();
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    if (line.size() == 0) {
      throw new IOException("No reply of Redis: an empty line");
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Redis answered with an error. */
  static final class ErrorReply extends Exception {
    private static final long serialVersionUID = 1L;

    ErrorReply(String message) {
      super(message);
    }
  }
}
