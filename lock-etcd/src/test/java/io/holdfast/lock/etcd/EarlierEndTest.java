/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.LONG;
import static io.holdfast.lock.etcd.EtcdHarness.PATIENT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.api.LeaseGrpc;
import io.grpc.ClientInterceptor;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.etcd.lease.Leases;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how the engine handles an earlier end that is not sent, or overtakes an extension. */
class EarlierEndTest {

  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration LONGER = Duration.ofMinutes(5);

  private final EtcdHarness harness = new EtcdHarness();

  @AfterEach
  void close() {
    harness.close();
  }

  /** An end that may be on its way would end what is extended. */
  @Test
  void oneWhoseLeaseIsNotGrantedIsNotInTheWayOfAnExtension() throws Exception {
    ThrowingCalls grants = new ThrowingCalls(LeaseGrpc.getLeaseGrantMethod());
    grants.end();
    Lease lease = fixed(client(grants));
    grants.begin();
    assertThrows(LockUnavailableException.class, () -> lease.expireIn(TEN_SECONDS));
    assertTrue(lease.remaining().compareTo(TEN_SECONDS) <= 0);
    grants.end();
    lease.extend(MINUTE);
    assertTrue(lease.remaining().compareTo(TEN_SECONDS) > 0, "" + lease.remaining());
  }

  @Test
  void anExtensionThatIsOvertakenIsNoOutage() throws Exception {
    DelayedAnswers held = DelayedAnswers.grants(Leases.seconds(LONGER));
    LockClient client = client(held);
    Lease lease = fixed(client);
    CompletableFuture<Void> extended = lease.extendAsync(LONGER);
    held.reached.join();
    lease.expireIn(MINUTE);
    held.release.complete(null);
    CompletionException failed = assertThrows(CompletionException.class, extended::join);
    assertInstanceOf(LockUnavailableException.class, failed.getCause());
    assertEquals(0, client.status().outages());
  }

  private static Lease fixed(LockClient client) throws Exception {
    return client.lock("a", LONG.withRenewal(Renewal.none())).acquire();
  }

  private LockClient client(ClientInterceptor interceptor) {
    return harness.closing(
        EtcdLocks.using(harness.channel(interceptor), PATIENT, ClientOptions.defaults()));
  }
}
