/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.leader;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.worker.LeaderElection;
import io.holdfast.lock.worker.StopReason;
import io.holdfast.lock.worker.Work;
import io.holdfast.lock.worker.WorkerOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** A process that stands for election, tells what it is told, and says whether it leads. */
final class Candidate {

  static final String LOOK = "look";
  static final String RESIGN = "resign";

  private Candidate() {}

  /**
   * Lives as long as its input.
   *
   * @param args the client's settings as {@code key=value}
   */
  public static void main(String[] args) throws IOException {
    Map<String, String> settings =
        Arrays.stream(args)
            .map(setting -> setting.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    WorkerOptions options =
        WorkerOptions.defaults().withOptions(LockOptions.defaults().withTtl(ElectionTest.TTL));
    try (LockClient client = Locks.open(settings);
        LeaderElection election =
            new LeaderElection(client, ElectionTest.NAME, new Leading(), options);
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      election.start();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals(LOOK)) {
          System.out.println("leads: " + election.isLeader());
        } else if (line.equals(RESIGN)) {
          election.resign();
        }
      }
    }
  }

  private static final class Leading implements Work {

    @Override
    public void start(Lease lease) {
      System.out.println("elected " + lease.fencingToken());
    }

    @Override
    public void stop(StopReason reason) {
      System.out.println("stopped " + reason);
    }
  }
}
