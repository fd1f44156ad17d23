/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.Lease;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Refuses the commit of a transaction whose thread holds a lease that is not valid any more, as the
 * last step before the commit. Transaction managers are told of it when they become beans.
 */
final class CommitGuard implements TransactionExecutionListener, BeanPostProcessor {

  private final HeldLeases leases;

  CommitGuard(HeldLeases leases) {
    this.leases = leases;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    if (bean instanceof ConfigurableTransactionManager manager
        && !manager.getTransactionExecutionListeners().contains(this)) {
      manager.addListener(this);
    }
    return bean;
  }

  @Override
  public void beforeCommit(TransactionExecution transaction) {
    leases.ofThisThread().forEach(Lease::ensureValid);
  }
}
