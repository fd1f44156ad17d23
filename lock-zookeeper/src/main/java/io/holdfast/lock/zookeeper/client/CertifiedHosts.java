/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.StaticHostProvider;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * The servers under the name that the certificate of each has: that is what {@code
 * tls-hostname-verification = false} comes to. Since version 4.2, Netty compares the names whatever
 * ZooKeeper is told, and ZooKeeper has no way to have it otherwise.
 */
public final class CertifiedHosts implements HostProvider {

  /** Kinds of names in a certificate, and what they are in X.509. */
  private static final int DNS_NAME = 2;

  private static final int IP_ADDRESS = 7;

  private static final Pattern COMMON_NAME = Pattern.compile("(?:^|,)CN=([^,]+)");

  private final HostProvider servers;
  private final TlsProbe probe;

  private CertifiedHosts(HostProvider servers, TlsProbe probe) {
    this.servers = servers;
    this.probe = probe;
  }

  /** Has Curator connect so; older ones do not hand on the configuration. */
  public static ZookeeperFactory factory(TlsProbe probe, ZKClientConfig tls) {
    return new ZookeeperFactory() {
      @Override
      public ZooKeeper newZooKeeper(
          String connect, int sessionTimeout, Watcher watcher, boolean readOnly) throws Exception {
        return newZooKeeper(connect, sessionTimeout, watcher, readOnly, tls);
      }

      @Override
      public ZooKeeper newZooKeeper(
          String connect,
          int sessionTimeout,
          Watcher watcher,
          boolean readOnly,
          ZKClientConfig config)
          throws Exception {
        HostProvider servers =
            new StaticHostProvider(new ConnectStringParser(connect).getServerAddresses());
        return new ZooKeeper(
            connect, sessionTimeout, watcher, readOnly, new CertifiedHosts(servers, probe), config);
      }
    };
  }

  @Override
  public InetSocketAddress next(long spinDelay) {
    InetSocketAddress server = servers.next(spinDelay);
    return probe
        .certificate(server)
        .flatMap(CertifiedHosts::nameIn)
        .map(name -> named(name, server))
        .orElse(server);
  }

  /** The first name that a client would accept, or what an asterisk stands for. */
  static Optional<String> nameIn(X509Certificate certificate) {
    return alternative(certificate, DNS_NAME)
        .or(() -> alternative(certificate, IP_ADDRESS))
        .or(() -> commonName(certificate))
        .map(name -> name.replaceFirst("^\\*", "any"));
  }

  private static Optional<String> alternative(X509Certificate certificate, int kind) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      return names == null
          ? Optional.empty()
          : names.stream()
              .filter(name -> name.get(0).equals(kind))
              .map(name -> String.valueOf(name.get(1)))
              .findFirst();
    } catch (CertificateParsingException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> commonName(X509Certificate certificate) {
    Matcher name = COMMON_NAME.matcher(certificate.getSubjectX500Principal().getName());
    return name.find() ? Optional.of(name.group(1)) : Optional.empty();
  }

  private static InetSocketAddress named(String name, InetSocketAddress server) {
    InetAddress address = server.getAddress();
    if (address == null) {
      return server;
    }
    try {
      return new InetSocketAddress(
          InetAddress.getByAddress(name, address.getAddress()), server.getPort());
    } catch (UnknownHostException e) {
      // Of addresses with a wrong length only.
      return server;
    }
  }

  @Override
  public int size() {
    return servers.size();
  }

  @Override
  public void onConnected() {
    servers.onConnected();
  }

  @Override
  public boolean updateServerList(
      Collection<InetSocketAddress> addresses, InetSocketAddress current) {
    return servers.updateServerList(addresses, current);
  }
}
