/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.SHORT;
import static io.holdfast.lock.etcd.EtcdHarness.get;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.etcd.jetcd.api.AuthGrpc;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockUnavailableException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The token of a user, asked for through a channel of the application's. */
class AuthTokenTest {

  private static final Map<String, String> ROOT =
      Map.of("username", "root", "password", "root-secret", "command-timeout", "1s");

  private final EtcdHarness scene = new EtcdHarness();

  @AfterEach
  void end() {
    scene.close();
  }

  @Test
  void anInterceptorThatThrowsIsAskedAgainForTheNextRequest() throws Exception {
    scene.administrator.addUser("root", "root-secret", "/");
    scene.administrator.enableAuthentication();
    ThrowingCalls throwing = new ThrowingCalls(AuthGrpc.getAuthenticateMethod());
    LockClient client =
        scene.closing(EtcdLocks.using(scene.channel(throwing), ROOT, ClientOptions.defaults()));
    assertThrows(LockUnavailableException.class, () -> client.lock("a", SHORT).tryAcquire());
    throwing.end();
    get(client.lock("a", SHORT).acquireAsync()).release();
  }
}
