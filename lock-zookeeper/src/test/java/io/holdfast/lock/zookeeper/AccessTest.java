/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.ZooKeeperHarness.SOON;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.Test;

/** Tests which users may do what, where; and the messages for those who may not. */
class AccessTest extends OneServerTestBase {

  @Test
  void anotherUserIsKeptOutOfTheCreatorsNodes() throws Exception {
    Map<String, String> mine =
        Map.of("root", "/private", "acl", "creator", "auth", "alice:open-sesame");
    Map<String, String> wrong =
        Map.of("root", "/private", "acl", "creator", "auth", "alice:guessed-wrong");
    Map<String, String> nobody = Map.of("root", "/private");
    LockClient early = harness.client(wrong);
    try (LockClient alice = harness.client(mine);
        Lease lease = alice.lock("door").acquire()) {
      assertTrue(lease.isValid());
      for (Map<String, String> settings : List.of(wrong, nobody)) {
        LockException refused =
            assertThrows(LockRejectedException.class, () -> harness.client(settings));
        assertTrue(refused.toString().contains("auth"), refused.toString());
        hidesSecrets(refused);
      }
      LockException refused =
          assertThrows(LockRejectedException.class, () -> early.lock("door").tryAcquire());
      assertTrue(refused.toString().contains("'door'"), refused.toString());
      hidesSecrets(refused);
      try (LockClient other = harness.client(mine)) {
        assertTrue(other.lock("door").tryAcquire().isEmpty());
      }
    }
  }

  /** With the ACL that docs/security.md tells an administrator to give a root, and no other. */
  @Test
  void toCreateBelowItsRootIsAllThatAnApplicationNeeds() throws Exception {
    Matcher listed =
        Pattern.compile("addauth digest (\\S+)\ncreate (\\S+) \"\" auth::(\\w+)\n")
            .matcher(Files.readString(Path.of("..", "docs", "security.md")));
    assertTrue(listed.find());
    String auth = listed.group(1);
    String root = listed.group(2);
    assertEquals("c", listed.group(3));
    Id shop = new Id("digest", DigestAuthenticationProvider.generateDigest(auth));
    try (ZooKeeperHarness closed = new ZooKeeperHarness()) {
      ZooKeeper owner = closed.administrator();
      owner.addAuthInfo("digest", "operator:its-secret".getBytes(UTF_8));
      owner.create(
          root,
          new byte[0],
          Collections.singletonList(new ACL(ZooDefs.Perms.CREATE, shop)),
          CreateMode.PERSISTENT);
      owner.setACL("/", ZooDefs.Ids.CREATOR_ALL_ACL, -1);
      Map<String, String> settings = Map.of("root", root, "acl", "creator", "auth", auth);
      try (LockClient client = closed.client(settings);
          LockClient other = closed.client(settings)) {
        Lease held = client.lock("door").acquire();
        CompletableFuture<Lease> waiting = other.lock("door").acquireAsync();
        LockHolder holder = other.inspector().holder("door").orElseThrow();
        assertEquals(Optional.of(held.ownerId()), holder.ownerId());
        assertEquals(1, other.inspector().held(10).size());
        assertFalse(client.examine(SOON).isEmpty());
        held.release();
        Lease next = waiting.get(SOON.toSeconds(), TimeUnit.SECONDS);
        assertTrue(client.inspector().evict(client.inspector().holder("door").orElseThrow()));
        next.loss().get(SOON.toSeconds(), TimeUnit.SECONDS);
        useShares(client, other);
      }
      assertThrows(LockRejectedException.class, () -> closed.client(Map.of("root", root)));
    }
  }

  private static void useShares(LockClient client, LockClient other) throws Exception {
    client.allOf(List.of("door", "gate")).acquire().release();
    Lease writer = client.readWriteLock("table").writeLock().acquire();
    CompletableFuture<Lease> reader = other.readWriteLock("table").readLock().acquireAsync();
    Lease downgraded = writer.downgrade();
    reader.get(SOON.toSeconds(), TimeUnit.SECONDS).release();
    downgraded.release();
    Lease most = client.semaphore("stock", 3).permits(2).acquire();
    CompletableFuture<Lease> waiting = other.semaphore("stock", 3).permits(2).acquireAsync();
    assertEquals(1, other.inspector().holders("stock").size());
    most.release();
    waiting.get(SOON.toSeconds(), TimeUnit.SECONDS).release();
  }

  private static void hidesSecrets(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      assertFalse(cause.toString().contains("sesame"), cause.toString());
      assertFalse(cause.toString().contains("guessed"), cause.toString());
    }
  }

  @Test
  void theChrootIsTheWorldAndMustExist() throws Exception {
    administrator.create("/app", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    try (LockClient client = harness.client(Map.of("connect", harness.address() + "/app"));
        Lease lease = client.lock("inside").acquire()) {
      assertTrue(lease.isValid());
      List<String> nodes = ZooKeeperHarness.contenders(administrator, "/app/holdfast/lock/inside");
      assertEquals(1, nodes.size());
      assertEquals("/app/holdfast/lock/inside/" + lease.ownerId() + "~0000000000", nodes.get(0));
      assertEquals(
          lease.ownerId(), new String(administrator.getData(nodes.get(0), false, null), UTF_8));
    }
    LockException missing =
        assertThrows(
            LockRejectedException.class,
            () -> harness.client(Map.of("connect", harness.address() + "/misspelt")));
    assertTrue(missing.toString().contains("chroot"), missing.toString());
  }

  @Test
  void anyNameIsOneNodeAndNothingIsTouchedOutsideTheRoot() throws Exception {
    administrator.create(
        "/bystander", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    Set<String> before = outside();
    try (LockClient client = harness.client();
        LockClient other = harness.client()) {
      List<Lease> held = new ArrayList<>();
      for (String name : LockPathsTest.NAMES) {
        held.add(client.lock(name).acquire(SOON));
      }
      assertEquals(
          LockPathsTest.NAMES.size(),
          ZooKeeperHarness.contenders(administrator, "/holdfast").size());
      for (String name : LockPathsTest.NAMES) {
        assertTrue(other.lock(name).tryAcquire().isEmpty(), name);
      }
      Set<String> after = outside();
      // The server may have removed what other tests have left empty.
      assertTrue(before.containsAll(after) && after.contains("/bystander"), after::toString);
      held.forEach(Lease::close);
    }
    assertEquals(List.of(), ZooKeeperHarness.contenders(administrator, "/holdfast"));
  }

  private Set<String> outside() {
    return new TreeSet<>(
        ZooKeeperHarness.walk(administrator, "/", path -> !path.startsWith("/holdfast")));
  }

  @Test
  void aForeignEphemeralNodeAtTheLocksPlaceIsNamed() throws Exception {
    try (LockClient client = harness.client();
        Lease first = client.lock("first").acquire()) {
      assertTrue(first.isValid());
      administrator.create(
          "/holdfast/lock/taken", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
      LockException refused =
          assertThrows(LockRejectedException.class, () -> client.lock("taken").tryAcquire());
      assertTrue(refused.toString().contains("'taken'"), refused.toString());
      administrator.delete("/holdfast/lock/taken", -1);
      client.lock("taken").acquire().close();
    }
  }

  @Test
  void anAddressWithoutAServerIsSaidInTime() {
    LockException unreachable =
        assertThrows(
            LockUnavailableException.class,
            () -> harness.client(Map.of("connect", "127.0.0.1:1", "connect-timeout", "300ms")));
    assertTrue(unreachable.toString().contains("127.0.0.1:1"), unreachable.toString());
  }

  /** An address of IPv6 that stands for 127.0.0.1, so the machine needs no IPv6. */
  @Test
  void anAddressOfIpv6IsWrittenInBrackets() throws Exception {
    String address = "[::ffff:127.0.0.1]:" + harness.server.port();
    for (String connect : List.of(address, "127.0.0.1:1," + address, address + ",[::1]:1")) {
      try (LockClient client = harness.client(Map.of("connect", connect));
          Lease lease = client.lock("brackets").acquire()) {
        assertTrue(lease.isValid());
        assertFalse(client.examine(SOON).isEmpty());
      }
    }
  }

  @Test
  void settingsAreChecked() {
    refused(Map.of("connect", ""), "connect");
    refused(Map.of("connect", "a b"), "connect");
    refused(Map.of("connect", "host:2181/"), "connect");
    for (String port : List.of("0", "65536", "99999")) {
      refused(Map.of("connect", "host:" + port), "from 1 to 65535");
      refused(Map.of("connect", "a,host:" + port + "/app"), "from 1 to 65535");
    }
    for (String address : List.of("[::1", "::1", "[::1]2181", "[host]:2181", "[]:2181")) {
      refused(Map.of("connect", address), "brackets");
    }
    refused(Map.of("root", "/"), "root");
    refused(Map.of("root", "/zookeeper/x"), "root");
    refused(Map.of("root", "/a/../b"), "root");
    refused(Map.of("acl", "mine"), "open or creator");
    refused(Map.of("acl", "creator"), "auth");
    refused(Map.of("auth", "geheim"), "user:password");
    refused(Map.of("session-timeout", "2h"), "session-timeout");
    refused(Map.of("sesion-timeout", "2s"), "session-timeout");
    refused(Map.of("tls-truststore", "/no/such/file.p12"), "tls-truststore");
    refused(Map.of("tls-truststore", "pom.xml"), "tls=true");
    refused(Map.of("truststore", "pom.xml"), "is called 'tls-truststore' now");
    refused(Map.of("keystore-password", "geheim"), "is called 'tls-keystore-password' now");
    refused(Map.of("command-timeout", "-1s"), "command-timeout");
  }

  private static void refused(Map<String, String> settings, String named) {
    LockException refused =
        assertThrows(LockConfigurationException.class, () -> harness.client(settings));
    assertTrue(refused.toString().contains(named), refused.toString());
    assertFalse(refused.toString().contains("geheim"), refused.toString());
  }
}
