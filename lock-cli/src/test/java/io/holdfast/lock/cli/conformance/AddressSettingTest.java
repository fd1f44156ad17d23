/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.holdfast.lock.servers.TcpProxy;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests where a link can be put between a client and its server, and where not. */
class AddressSettingTest {

  @ParameterizedTest
  @CsvSource({
    "uri, redis://localhost, localhost, 6379, redis://LINK",
    "uri, redis://me:secret@shop.example:7000/3?x=y, shop.example, 7000,"
        + " redis://me:secret@LINK/3?x=y",
    "connect, zk1:2182/app, zk1, 2182, LINK/app",
    "connect, zk1, zk1, 2181, LINK",
    "endpoints, http://10.0.0.1:2379, 10.0.0.1, 2379, http://LINK",
    "url, jdbc:postgresql://[::1]/app?ssl=false, [::1], 5432, jdbc:postgresql://LINK/app?ssl=false",
  })
  void oneServerIsReplaced(String key, String value, String host, int port, String linked) {
    AddressSetting address = AddressSetting.in(Map.of("provider", "any", key, value)).orElseThrow();
    assertEquals(host + ":" + port, address.toString());
    try (TcpProxy link = TcpProxy.to("localhost", 1)) {
      assertEquals(
          Map.of("provider", "any", key, linked.replace("LINK", link.host() + ":" + link.port())),
          address.through(link));
    }
    assertFalse(address.toString().contains("secret"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "uri=rediss://localhost",
        "uri=redis-sentinel://a,b/0#prime",
        "uri=redis-cluster://a:7000",
        "uris=redis://a:1,redis://b:1,redis://c:1",
        "connect=a:2181,b:2181/app",
        "endpoints=http://a:2379,http://b:2379",
        "endpoints=https://a:2379",
        "url=jdbc:postgresql://a,b/app",
        "url=jdbc:postgresql:app",
        "directory=/var/lib/shop",
      })
  void severalServersAndTlsAreLeftAlone(String setting) {
    String[] pair = setting.split("=", 2);
    assertEquals(Optional.empty(), AddressSetting.in(Map.of(pair[0], pair[1])));
  }
}
