/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot.shop;

import io.holdfast.lock.Lease;
import io.holdfast.lock.spring.boot.Leads;
import io.holdfast.lock.worker.StopReason;
import io.holdfast.lock.worker.Work;
import org.springframework.stereotype.Component;

/** Done by one instance at a time. */
@Component
@Leads("purchase")
public class Purchase implements Work {

  private volatile boolean leading;

  @Override
  public void start(Lease lease) {
    leading = true;
  }

  @Override
  public void stop(StopReason reason) {
    leading = false;
  }

  public boolean isLeading() {
    return leading;
  }
}
