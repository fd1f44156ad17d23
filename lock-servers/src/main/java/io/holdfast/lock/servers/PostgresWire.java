/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * As much of PostgreSQL's protocol as it takes to log in without a password and ask simple queries.
 *
 * @see <a href="https://www.postgresql.org/docs/current/protocol-message-formats.html">formats</a>
 */
final class PostgresWire implements Closeable {

  private static final int TIMEOUT_MILLIS = 5_000;
  private static final int PROTOCOL = 3 << 16;

  private final Socket socket = new Socket();
  private final DataOutputStream out;
  private final DataInputStream in;

  PostgresWire(String host, int port, String user, String database) throws IOException {
    try {
      socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      // Whole messages: PgBouncer refuses a first one that comes in parts.
      out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      in = new DataInputStream(socket.getInputStream());
      byte[] parameters = ("user\0" + user + "\0database\0" + database + "\0\0").getBytes(UTF_8);
      out.writeInt(2 * Integer.BYTES + parameters.length);
      out.writeInt(PROTOCOL);
      out.write(parameters);
      out.flush();
      readUntilReady();
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** The first column of all rows; null is empty. */
  List<String> ask(String sql) throws IOException {
    byte[] text = (sql + "\0").getBytes(UTF_8);
    out.writeByte('Q');
    out.writeInt(Integer.BYTES + text.length);
    out.write(text);
    out.flush();
    return readUntilReady();
  }

  private List<String> readUntilReady() throws IOException {
    List<String> found = new ArrayList<>();
    String error = "";
    while (true) {
      int kind = in.readUnsignedByte();
      byte[] body = in.readNBytes(in.readInt() - Integer.BYTES);
      if (kind == 'Z') {
        if (!error.isEmpty()) {
          throw new ErrorReply(error);
        }
        return found;
      } else if (kind == 'E') {
        error = new String(body, UTF_8).replace('\0', ' ');
        if (error.startsWith("SFATAL")) {
          throw new ErrorReply(error);
        }
      } else if (kind == 'D') {
        found.add(firstColumn(body));
      }
    }
  }

  private static String firstColumn(byte[] row) {
    java.nio.ByteBuffer buffer = java.nio.ByteBuffer.wrap(row);
    buffer.getShort();
    int length = buffer.getInt();
    return length < 0 ? "" : new String(row, buffer.position(), length, UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** PostgreSQL answered with an error. */
  static final class ErrorReply extends IOException {
    private static final long serialVersionUID = 1L;

    ErrorReply(String message) {
      super(message);
    }
  }
}
