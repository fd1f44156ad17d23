/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.client;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.spi.support.Outage;
import io.holdfast.lock.spi.support.TlsRefusal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.X509Exception;

/**
 * Makes a TLS connection to a server and ends it, for what ZooKeeper's client does not tell: which
 * certificate the server has, and why TLS fails. Blocks, for a bounded time.
 */
public final class TlsProbe {

  /** After the handshake, a server that refuses our certificate says so; any other waits. */
  private static final int ALERT_MILLIS = 500;

  private final SSLSocketFactory sockets;
  private final boolean hostnameVerification;
  private final int patienceMillis;

  private TlsProbe(SSLSocketFactory sockets, boolean hostnameVerification, Duration patience) {
    this.sockets = sockets;
    this.hostnameVerification = hostnameVerification;
    this.patienceMillis = Math.toIntExact(patience.toMillis());
  }

  /** Reads the stores. */
  public static TlsProbe of(ZooKeeperTls tls, Duration patience) {
    ZKClientConfig config = new ZKClientConfig();
    tls.apply(config);
    try (ClientX509Util stores = new ClientX509Util()) {
      return new TlsProbe(
          stores.createSSLContext(config).getSocketFactory(), tls.hostnameVerification(), patience);
    } catch (X509Exception.SSLContextException e) {
      throw new LockConfigurationException(
          "Setting 'tls-truststore' or 'tls-keystore' of provider 'zookeeper' cannot be used; check the"
              + " file and its password",
          e);
    }
  }

  /** The certificate of a server, if its authority is trusted; whatever host it is for. */
  Optional<X509Certificate> certificate(InetSocketAddress server) {
    try (SSLSocket connection = connect(server, false)) {
      return certificate(connection);
    } catch (IOException e) {
      // The connection itself will fail in the same way.
      return Optional.empty();
    }
  }

  private static Optional<X509Certificate> certificate(SSLSocket connection)
      throws SSLPeerUnverifiedException {
    return connection.getSession().getPeerCertificates()[0] instanceof X509Certificate shown
        ? Optional.of(shown)
        : Optional.empty();
  }

  /** Why there is no connection to a server; empty if nothing is wrong with TLS. */
  public Optional<LockException> failure(String operation, InetSocketAddress server) {
    String where = operation + " at " + server.getHostString() + ":" + server.getPort();
    try (SSLSocket connection = connect(server, hostnameVerification)) {
      connection.setSoTimeout(ALERT_MILLIS);
      if (connection.getInputStream().read() < 0) {
        return Optional.of(
            new LockUnavailableException(where + ": the server ended the connection"));
      }
      return Optional.empty();
    } catch (SocketTimeoutException e) {
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(typed(where, e));
    }
  }

  private static LockException typed(String where, IOException failure) {
    if (TlsRefusal.ofServer(failure)) {
      return new LockRejectedException(
          where
              + ": the server's certificate is not trusted, or is for another host; set"
              + " 'tls-truststore' to one with the certificate of its authority",
          failure);
    }
    if (TlsRefusal.ofClient(failure)) {
      return new LockRejectedException(
          where
              + ": the server does not accept our certificate, or there is none; set 'tls-keystore' to"
              + " one that was signed by an authority which the server trusts",
          failure);
    }
    return new LockUnavailableException(
        where + ": " + Outage.reason(failure).orElse("TLS failed: " + failure.getMessage()),
        failure);
  }

  private SSLSocket connect(InetSocketAddress server, boolean verifiesHost) throws IOException {
    String host = server.getHostString();
    Socket plain = new Socket();
    try {
      plain.connect(new InetSocketAddress(host, server.getPort()), patienceMillis);
      plain.setSoTimeout(patienceMillis);
      SSLSocket connection =
          (SSLSocket) sockets.createSocket(plain, host, server.getPort(), /* autoClose= */ true);
      if (verifiesHost) {
        SSLParameters parameters = connection.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        connection.setSSLParameters(parameters);
      }
      connection.startHandshake();
      return connection;
    } catch (IOException e) {
      plain.close();
      throw e;
    }
  }
}
