/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.client;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;

/** Switches off that an announcement of maintenance moves a connection or extends a deadline. */
final class MaintenanceNotifications {

  private MaintenanceNotifications() {}

  /** Lettuce has them from 7.0 on; before, there is nothing to switch off. */
  static void disable(ClientOptions.Builder options) {
    try {
      Since7.disable(options);
    } catch (NoClassDefFoundError before7) {
      // A class of its own, so that nothing else links what older versions lack.
    }
  }

  private static final class Since7 {

    static void disable(ClientOptions.Builder options) {
      options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
    }
  }
}
