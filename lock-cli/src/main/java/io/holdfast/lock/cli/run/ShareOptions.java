/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.run;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Share;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The share of a name that a command holds: a lock, a side of a read-write lock, or permits. */
final class ShareOptions {

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--shared",
      description =
          "As a reader of a read-write lock: together with others that run with --shared, and with"
              + " none that runs with --exclusive.")
  private boolean shared;

  @Option(
      names = "--exclusive",
      description =
          "As the writer of a read-write lock: alone. Without --shared, --exclusive and --of the"
              + " name is a lock, which is something else than a read-write lock.")
  private boolean exclusive;

  @Option(
      names = "--permits",
      paramLabel = "N",
      description = "How many permits of a semaphore the command holds. Default: 1.")
  private @Nullable Integer permits;

  @Option(
      names = "--of",
      paramLabel = "N",
      description =
          "How many permits the semaphore has: the same for all that use the name. Default: the"
              + " permits of the scenario.")
  private @Nullable Integer capacity;

  /**
   * Decides. Connects to nothing.
   *
   * @param names of the locks that the command holds
   * @param configured how many permits semaphores of the scenario have
   * @throws ParameterException if the options contradict each other
   */
  Share share(List<String> names, OptionalInt configured) {
    List<String> given =
        Stream.of(
                shared ? "--shared" : "",
                exclusive ? "--exclusive" : "",
                capacity != null ? "--of" : permits != null ? "--permits" : "")
            .filter(option -> !option.isEmpty())
            .toList();
    if (given.size() > 1) {
      throw wrong(
          String.join(" and ", given)
              + " exclude each other: --shared and --exclusive are of a read-write lock, --permits"
              + " and --of of a semaphore");
    }
    if (!given.isEmpty() && names.stream().distinct().count() > 1) {
      throw wrong(given.get(0) + " takes one --name; several names are locks");
    }
    if (shared) {
      return Share.READ;
    }
    return exclusive ? Share.WRITE : permits(configured);
  }

  private Share permits(OptionalInt configured) {
    if (permits == null && capacity == null) {
      return Share.LOCK;
    }
    if (capacity == null && configured.isEmpty()) {
      throw wrong(
          "--of is missing: how many permits there are, such as --permits 2 --of 5. A scenario can"
              + " say it, too");
    }
    int all = Optional.ofNullable(capacity).orElseGet(configured::getAsInt);
    if (all < 1 || all > Share.MOST_PERMITS) {
      throw wrong("--of must be from 1 to %d, but is %d".formatted(Share.MOST_PERMITS, all));
    }
    int count = Optional.ofNullable(permits).orElse(1);
    if (count < 1 || count > all) {
      throw wrong(
          "--permits must be from 1 to %d, which is how many there are, but is %d"
              .formatted(all, count));
    }
    return Share.of(count, all);
  }

  /**
   * The lock that is to be acquired.
   *
   * @param share as decided
   * @throws io.holdfast.lock.LockConfigurationException if the backend does not have it
   */
  static DistributedLock lock(
      LockClient client, Share share, List<String> names, LockOptions terms) {
    return switch (share.mode()) {
      case LOCK -> client.allOf(names, terms);
      case READ -> client.readWriteLock(names.get(0), terms).readLock();
      case WRITE -> client.readWriteLock(names.get(0), terms).writeLock();
      case PERMITS ->
          client.semaphore(names.get(0), share.capacity(), terms).permits(share.permits());
    };
  }

  /** The noun for it in messages. */
  static String noun(Share share) {
    return switch (share.mode()) {
      case LOCK -> "Lock";
      case READ, WRITE -> "Read-write lock";
      case PERMITS -> "Semaphore";
    };
  }

  private ParameterException wrong(String message) {
    return new ParameterException(Optional.ofNullable(spec).orElseThrow().commandLine(), message);
  }
}
