/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import java.util.List;

/** The groups of rules, in the order of the specification. */
public final class AllRules {

  /** Each has a public no-argument constructor, and methods marked as rules. */
  public static final List<Class<?>> GROUPS =
      List.of(
          ExclusionRules.class,
          OwnershipRules.class,
          LifetimeRules.class,
          WallClockRules.class,
          RenewalRules.class,
          MinimumHoldRules.class,
          TimeBoundRules.class,
          EarlyWarningRules.class,
          EarlierEndRules.class,
          LossRules.class,
          TransactionRules.class,
          FencingRules.class,
          WaitingRules.class,
          QueueRules.class,
          HandOverRules.class,
          SharingRules.class,
          DowngradeRules.class,
          PermitRules.class,
          CapacityRules.class,
          ShareFormRules.class,
          CancellationRules.class,
          ViewRules.class,
          JavaLockRules.class,
          MultiLockRules.class,
          MultiLockEndRules.class,
          LifecycleRules.class,
          ReportingRules.class,
          UsedNamesRules.class,
          LinkRules.class,
          OldConnectionRules.class,
          BadInputRules.class,
          ConfigurationRules.class,
          SecrecyRules.class,
          CapabilityRules.class,
          InspectionRules.class);

  private AllRules() {}
}
