/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.ChildJvm;
import io.holdfast.lock.servers.DeadAddress;
import io.holdfast.lock.servers.StartupParameters;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** SE: what is secret is not shown, and who does not know it is told so. */
public final class SecrecyRules {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration OPERATION = Duration.ofSeconds(20);
  private static final String UNAVAILABLE = LockUnavailableException.class.getSimpleName();

  @Rule(value = "SE-1", lookAt = "messages, logs and toString() that contain settings")
  public void aPasswordIsNeverShown(RuleContext context) {
    Secret right = Secret.random();
    Secret wrong = Secret.random();
    List<Map<String, String>> good = context.fixture().withPassword(right.text());
    if (good.isEmpty()) {
      throw context.skipped("no server wants a password");
    }
    try (DeadAddress nobody = DeadAddress.take()) {
      List<Map<String, String>> bad = new ArrayList<>();
      good.forEach(settings -> bad.add(right.replacedIn(settings, wrong)));
      context.fixture().unreachable(nobody.port(), wrong.text()).ifPresent(bad::add);
      bad.addAll(context.fixture().malformed(wrong.text()));
      List<String> shown = new CopyOnWriteArrayList<>();
      ChildJvm jvm =
          context.closing(
              ChildJvm.start(List.of(FullLogging.OPTION), SecretsMain.class, Map.of(), shown::add));
      for (Map<String, String> settings : good) {
        Map<String, String> patient = new HashMap<>(settings);
        patient.replace("command-timeout", "20s");
        String outcome = outcome(jvm, patient);
        context.checkInTime(
            !outcome.endsWith(UNAVAILABLE),
            "expected the right password to be accepted, but found " + outcome);
        context.checkEquals(SecretsMain.USED, outcome, "the outcome with the right password");
      }
      bad.forEach(settings -> outcome(jvm, settings));
      StartupParameters.send(jvm, Map.of());
      jvm.awaitExit(PATIENCE);
      context.check(
          shown.stream().anyMatch(line -> line.contains(SecretsMain.LOGGED)),
          "expected the log of the other process to be seen, but it was not");
      for (Secret secret : List.of(right, wrong)) {
        Optional<String> told = secret.toldIn(shown);
        context.check(
            told.isEmpty(), "expected no password in what is shown, but found " + told.orElse(""));
      }
    }
  }

  @Rule(value = "SE-2", lookAt = "open(): its exception when the server refuses a password")
  public void wrongAndMissingPasswordsAreRefused(RuleContext context) throws InterruptedException {
    Secret right = Secret.random();
    Secret wrong = Secret.random();
    List<Map<String, String>> good = context.fixture().withPassword(right.text());
    if (good.isEmpty()) {
      throw context.skipped("no server wants a password");
    }
    for (Map<String, String> settings : good) {
      Map<String, String> patient = new HashMap<>(settings);
      patient.put("command-timeout", TimeText.of(OPERATION));
      // On some servers the first client decides who may come later, so it has to be this one.
      try (LockClient client = Locks.open(patient)) {
        use(context, client);
      }
      expectRefused(context, right.replacedIn(patient, wrong), List.of(right, wrong));
      context
          .fixture()
          .withoutPassword(patient)
          .ifPresent(missing -> expectRefused(context, missing, List.of(right)));
    }
  }

  private static void expectRefused(
      RuleContext context, Map<String, String> settings, List<Secret> secrets) {
    long begun = System.nanoTime();
    LockException told = refusal(context, settings);
    if (told instanceof LockUnavailableException) {
      // A connection that breaks says nothing of the password; a second one in a row is no
      // accident.
      told = refusal(context, settings);
    }
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    // A client that is late may have been told of nothing else.
    context.checkInTime(
        took.compareTo(OPERATION) < 0,
        "expected a refusal within %s, but it took %s: %s"
            .formatted(TimeText.of(OPERATION), TimeText.of(took), told));
    context.check(
        told instanceof LockRejectedException,
        "expected LockRejectedException, as trying again is of no use, but found " + told);
    for (Throwable at = told; at != null; at = at.getCause()) {
      List<String> said = List.of(at.toString());
      secrets.forEach(
          secret ->
              context.check(
                  secret.toldIn(said).isEmpty(),
                  "expected no password in what is told, but found " + said));
    }
  }

  private static LockException refusal(RuleContext context, Map<String, String> settings) {
    return context.expect(
        LockException.class,
        () -> {
          try (LockClient client = Locks.open(settings)) {
            return use(context, client);
          }
        });
  }

  private static Optional<Lease> use(RuleContext context, LockClient client)
      throws InterruptedException {
    Optional<Lease> lease = client.lock(context.name(), context.options()).tryAcquire();
    lease.ifPresent(Lease::release);
    return lease;
  }

  private static String outcome(ChildJvm jvm, Map<String, String> settings) {
    StartupParameters.send(jvm, settings);
    return jvm.awaitLine(
        line -> line.equals(SecretsMain.USED) || line.startsWith(SecretsMain.REFUSED), PATIENCE);
  }
}
