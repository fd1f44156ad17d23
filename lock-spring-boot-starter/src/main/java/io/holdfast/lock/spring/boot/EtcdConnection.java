/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.grpc.Channel;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.etcd.EtcdLocks;
import java.util.Map;

/** Over a channel of gRPC. (A client of jetcd hides its own.) */
final class EtcdConnection implements ReadyConnection {

  @Override
  public LockClient open(
      Object bean, String provider, Map<String, String> settings, ClientOptions options) {
    return EtcdLocks.using((Channel) bean, settings, options);
  }
}
