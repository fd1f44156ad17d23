/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.RENEWED;
import static io.holdfast.lock.etcd.EtcdHarness.SHORT;
import static io.holdfast.lock.etcd.EtcdHarness.get;
import static io.holdfast.lock.etcd.EtcdHarness.messages;
import static io.holdfast.lock.etcd.EtcdHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthRoleRevokePermissionRequest;
import io.etcd.jetcd.api.AuthUserChangePasswordRequest;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.health.Finding;
import io.holdfast.lock.servers.Conditions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Users, passwords, permissions, and what is refused at opening. */
class AccessTest {

  private static final Map<String, String> SHOP =
      Map.of("username", "shop", "password", "shop-secret", "command-timeout", "3s");

  private static final String WATCHERS = "etcd_debugging_mvcc_watcher_total";
  private static final String REQUESTS = "grpc_server_started_total";

  private final EtcdHarness scene = new EtcdHarness();

  @AfterEach
  void end() {
    scene.close();
  }

  /** The user shop may touch /holdfast/lock/, the user stranger something else. */
  private void enable() {
    scene.administrator.addUser("root", "root-secret", "/");
    scene.administrator.addUser("shop", "shop-secret", "/holdfast/lock/");
    scene.administrator.addUser("stranger", "stranger-secret", "/elsewhere/");
    scene.administrator.enableAuthentication();
  }

  private LockException refused(Map<String, String> settings) {
    LockException refusal = assertThrows(LockException.class, () -> scene.client(settings).close());
    assertFalse(messages(refusal).contains("secret"), messages(refusal));
    return refusal;
  }

  private void rejected(String hint, Map<String, String> settings) {
    LockException refusal = refused(settings);
    assertThrowsExactly(
        LockRejectedException.class,
        () -> {
          throw refusal;
        });
    assertTrue(messages(refusal).contains(hint), messages(refusal));
  }

  @Test
  void aUserNeedsThePasswordAndThePermission() throws Exception {
    rejected("remove 'username' and 'password'", SHOP);
    enable();
    try (LockClient client = scene.client(SHOP);
        LockClient other = scene.client(SHOP)) {
      Lease lease = client.lock("a", RENEWED).acquire();
      CompletableFuture<Lease> waiting = other.lock("a", EtcdHarness.NO_POLLS).acquireAsync();
      awaitRenewal(client);
      assertTrue(lease.isValid());
      lease.release();
      get(waiting).release();
    }
    rejected("set 'username' and 'password'", Map.of());
    rejected("is wrong", Map.of("username", "shop", "password", "guessed-secret"));
    rejected("is wrong", Map.of("username", "nobody", "password", "guessed-secret"));
    rejected("no permission", Map.of("username", "stranger", "password", "stranger-secret"));
    rejected("no permission", with(SHOP, "namespace", "lock2"));
    rejected("no permission", with(SHOP, "namespace", "loc"));
  }

  /** 192.0.2.1 is an address for documentation: nobody answers there. */
  @Test
  void aPasswordThatLeavesTheHostWithoutTlsIsFound() throws Exception {
    enable();
    String near = "http://127.0.0.1:" + scene.server.port();
    assertEquals(List.of(), aboutAccess(with(SHOP, "endpoints", near)));
    List<Finding> found = aboutAccess(with(SHOP, "endpoints", near + ",http://192.0.2.1:2379"));
    assertEquals(1, found.size());
    assertEquals(Finding.Severity.WARNING, found.get(0).severity());
    assertTrue(found.get(0).text().contains("192.0.2.1:2379 without TLS"), found::toString);
  }

  private List<Finding> aboutAccess(Map<String, String> settings) {
    try (LockClient client = scene.client(settings)) {
      return client.examine(SHORT.ttl()).stream()
          .flatMap(report -> report.findings().stream())
          .filter(one -> one.promise() == Finding.Promise.ACCESS)
          .toList();
    }
  }

  /** A request that is refused time and again is a request that is sent time and again. */
  @Test
  void aUserWhoLosesThePermissionDoesNotStormTheServer() throws Exception {
    enable();
    try (LockClient client = scene.client(SHOP);
        LockClient other = scene.client(SHOP)) {
      List<Lease> held = new ArrayList<>();
      List<CompletableFuture<Lease>> waiting = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        held.add(client.lock("n" + i, SHORT).acquire());
        waiting.add(other.lock("n" + i, EtcdHarness.NO_POLLS).acquireAsync());
      }
      until("ten waiters", () -> scene.server.metric(WATCHERS) == 10);
      asRoot()
          .roleRevokePermission(
              AuthRoleRevokePermissionRequest.newBuilder()
                  .setRole("shop")
                  .setKey(ByteString.copyFromUtf8("/holdfast/lock/"))
                  .setRangeEnd(LockKeys.endOf(ByteString.copyFromUtf8("/holdfast/lock/")))
                  .build());
      double before = scene.server.metric(REQUESTS);
      Conditions.stays(
          "nobody else is granted", Duration.ofSeconds(10), () -> noneGranted(waiting));
      double requests = scene.server.metric(REQUESTS) - before;
      System.out.println(requests + " requests of two clients that were refused for 10 s");
      // Two for each waiter and holder and second are usual.
      assertTrue(requests < 1_000, requests + " requests in 10 s");
      asRoot().roleGrantPermission(Administrator.permission("shop", "/holdfast/lock/"));
      assertEquals(10, held.size());
    }
  }

  private static boolean noneGranted(List<CompletableFuture<Lease>> waiting) {
    return waiting.stream().noneMatch(one -> one.isDone() && !one.isCompletedExceptionally());
  }

  /** Etcd keeps its tokens in memory: after a restart nobody has one. */
  @Test
  void anOutdatedTokenIsReplacedUnnoticed() throws Exception {
    enable();
    try (LockClient client = scene.client(SHOP);
        LockClient other = scene.client(SHOP)) {
      Lease lease = client.lock("a", SHORT.withTtl(Duration.ofSeconds(15))).acquire();
      CompletableFuture<Lease> waiting = other.lock("a", SHORT).acquireAsync();
      scene.server.kill();
      scene.server.start();
      Conditions.stays("held", Duration.ofSeconds(17), lease::isValid);
      assertFalse(waiting.isDone());
      lease.release();
      get(waiting).release();
    }
  }

  /** Any change of users makes etcd take all tokens for old. */
  @Test
  void aChangeOfTheUsersIsSurvived() throws Exception {
    enable();
    try (LockClient client = scene.client(SHOP);
        LockClient root =
            scene.client(with(Map.of("username", "root"), "password", "root-secret"))) {
      Lease lease = client.lock("a", RENEWED).acquire();
      asRoot()
          .userChangePassword(
              AuthUserChangePasswordRequest.newBuilder()
                  .setName("stranger")
                  .setPassword("another-secret")
                  .build());
      // The first may have been on its way before.
      awaitRenewal(client);
      awaitRenewal(client);
      assertTrue(lease.isValid());
      lease.release();
      client.lock("b", SHORT).acquire().release();
      root.lock("c", SHORT).acquire().release();
    }
  }

  private static void awaitRenewal(LockClient client) throws Exception {
    get(EtcdHarness.next(client, LockEvent.Renewed.class));
  }

  private AuthGrpc.AuthBlockingStub asRoot() {
    String token =
        scene
            .administrator
            .auth()
            .authenticate(
                io.etcd.jetcd.api.AuthenticateRequest.newBuilder()
                    .setName("root")
                    .setPassword("root-secret")
                    .build())
            .getToken();
    io.grpc.Metadata headers = new io.grpc.Metadata();
    headers.put(io.grpc.Metadata.Key.of("token", io.grpc.Metadata.ASCII_STRING_MARSHALLER), token);
    return scene
        .administrator
        .auth()
        .withInterceptors(io.grpc.stub.MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  @Test
  void badSettingsAreRefusedWithAHint() {
    bad("need each other", Map.of("username", "shop"));
    bad("https://", Map.of("tls-truststore", "pom.xml"));
    bad("root", Map.of("root", "/a//b"));
    bad("root", Map.of("root", "/a/"));
    for (String endpoints :
        new String[] {
          "ftp://a:1", "http://a:1,https://a:2", "http://a:1,", "a:99999", "http://a b:1", "a/b"
        }) {
      bad("endpoints", Map.of("endpoints", endpoints));
    }
    bad("without a user", Map.of("endpoints", "http://shop:a-secret@localhost:2379"));
    bad("may have an underscore", Map.of("endpoints", "http://localhost:2379,http://my_etcd:2379"));
    bad("did you mean", Map.of("endpoint", "http://localhost:2379"));
  }

  private void bad(String hint, Map<String, String> settings) {
    LockException refusal = refused(settings);
    assertThrowsExactly(
        LockConfigurationException.class,
        () -> {
          throw refusal;
        });
    assertTrue(messages(refusal).contains(hint), messages(refusal));
  }

  @Test
  void oneReachableMemberIsEnough() throws Exception {
    String nobody = "http://127.0.0.1:1";
    String somebody = "http://127.0.0.1:" + scene.server.port();
    try (LockClient client = EtcdHarness.open(nobody + "," + somebody, Map.of())) {
      client.lock("a", SHORT).acquire().release();
    }
    LockException refusal =
        assertThrowsExactly(
            LockUnavailableException.class,
            () -> EtcdHarness.open(nobody + "," + nobody, Map.of()).close());
    assertTrue(messages(refusal).contains("cannot be reached"), messages(refusal));
    String told = String.valueOf(refusal.getMessage());
    assertTrue(told.contains("refused: /127.0.0.1:1)"), told);
    assertTrue(told.startsWith("Opening etcd at 127.0.0.1:1"), told);
  }

  private static Map<String, String> with(Map<String, String> settings, String key, String value) {
    Map<String, String> more = new java.util.HashMap<>(settings);
    more.put(key, value);
    return more;
  }
}
