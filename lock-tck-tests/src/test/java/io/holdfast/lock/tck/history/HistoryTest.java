/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import io.holdfast.lock.servers.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a history is read as it was written. */
class HistoryTest {

  private static final String ODD = "tab\t, line\n, \r, back\\slash, ü, =, \u2028";

  private static final List<Event> ONE_OF_EACH =
      List.of(
          new Event.Started(1, "p", 4711),
          new Event.Asked(2, "p", 1, "t", ODD, Duration.ofMillis(1500)),
          new Event.Asked(3, "p", 2, "t", "", Event.Asked.NO_LIMIT),
          new Event.Asked(3, "p", 3, "t", "", Event.Asked.NO_LIMIT, Share.READ),
          new Event.Asked(3, "p", 4, "t", "", Event.Asked.NO_LIMIT, Share.WRITE),
          new Event.Asked(3, "p", 5, "t", "", Event.Asked.NO_LIMIT, Share.of(2, 5)),
          new Event.Queued(4, "p", ODD, "owner"),
          new Event.Queued(4, "p", ODD, "owner", Share.of(1, 1_000_000)),
          new Event.Unanswered(4, "p", ODD, "owner"),
          new Event.Granted(5, "p", 1, ODD, "owner", Long.MAX_VALUE, Duration.ofNanos(17)),
          new Event.NotGranted(6, "p", 2, "", Refusal.UNAVAILABLE, "java.lang.Exception"),
          new Event.Believed(7, "p", 1),
          new Event.Writing(8, "p", 1, "row", 7),
          new Event.Wrote(9, "p", 1, "row", 7, Answer.ACCEPTED, 1, 2),
          new Event.Doubted(10, "p", 1),
          new Event.Lost(11, "p", 1, LossReason.UNREACHABLE),
          new Event.Released(12, "p", 1, ReleaseOutcome.ALREADY_LOST),
          new Event.FaultBegun(13, "p", 1, "cut", ODD),
          new Event.FaultEnded(14, "p", 1),
          new Event.Suspended(15, "p", "q"),
          new Event.Continued(16, "p", "q"),
          new Event.Killed(17, "p", "q", "KILL"),
          new Event.Exited(18, "p", "q", 137),
          new Event.Counted(19, "p", "row", 2),
          new Event.Residue(20, "p", "a key\nof two lines"),
          new Event.Finished(21, "p"));

  @TempDir Path directory;

  @Test
  void everyKindIsReadAsItWasWritten() {
    Set<Class<?>> kinds = ONE_OF_EACH.stream().map(Event::getClass).collect(Collectors.toSet());
    assertEquals(EventLine.kinds(Event.class).collect(Collectors.toSet()), kinds);
    try (HistoryWriter writer = HistoryWriter.open(directory, "p")) {
      ONE_OF_EACH.forEach(writer::append);
    }
    assertEquals(ONE_OF_EACH, History.read(directory).events());
  }

  @Test
  void anEventIsALineForPeopleAndTheirTools() {
    assertEquals(
        "5\tp\tGranted\tattempt=1\tlock=a\\tb\towner=o\ttoken=7\tremaining=PT2S\n",
        EventLine.of(new Event.Granted(5, "p", 1, "a\tb", "o", 7, Duration.ofSeconds(2))));
  }

  @Test
  void theShareOfALockIsLeftOutAsItWasBeforeThereWereOthers() {
    Event.Asked asked = new Event.Asked(5, "p", 1, "t", "a", Duration.ofSeconds(2));
    String line = "5\tp\tAsked\tattempt=1\tthread=t\tlock=a\tmaxWait=PT2S";
    assertEquals(line + "\n", EventLine.of(asked));
    assertEquals(asked, EventLine.parse(line));
    assertEquals(
        new Event.Asked(5, "p", 1, "t", "a", Duration.ofSeconds(2), Share.of(2, 5)),
        EventLine.parse(line + "\tshare=2 of 5"));
  }

  @Test
  void aTornLineIsLeftOut() throws IOException {
    try (HistoryWriter writer = HistoryWriter.open(directory, "p")) {
      ONE_OF_EACH.forEach(writer::append);
    }
    Path file = directory.resolve("p.history");
    byte[] torn =
        EventLine.of(new Event.Queued(99, "p", "ü", "o")).getBytes(StandardCharsets.UTF_8);
    for (int length = 1; length < torn.length; length++) {
      byte[] whole = Files.readAllBytes(file);
      Files.write(file, Arrays.copyOf(torn, length), StandardOpenOption.APPEND);
      assertEquals(ONE_OF_EACH, History.read(directory).events());
      Files.write(file, whole);
    }
  }

  @Test
  void aKillTakesNothingAwayThatWasWritten() {
    long said = 0;
    try (ChildJvm child = ChildJvm.start(WriterMain.class, directory.toString())) {
      for (int turn = 0; turn < 20; turn++) {
        said = Long.parseLong(child.awaitLine(line -> !line.isBlank(), Duration.ofSeconds(60)));
      }
      child.kill();
    }
    long read = History.read(directory).events().size();
    assertTrue(read >= said, () -> "some of " + read);
  }

  @Test
  void anUnknownEventIsNotPassedOver() throws IOException {
    for (String line :
        List.of(
            "x",
            "1\tp\tNothing",
            "1\tp\tFinished\tmore=1",
            "1\tp\tBelieved\tb=1",
            "1\tp\tBelieved",
            "1\tp\tQueued\tlock=a\towner=o\tshare=some",
            "1\tp\tQueued\tlock=a\tshare=read")) {
      Files.writeString(directory.resolve("p.history"), line + "\n");
      assertThrows(IllegalArgumentException.class, () -> History.read(directory), line);
    }
  }

  @Test
  void theHistoriesOfAllAreOneByTime() {
    try (HistoryWriter one = HistoryWriter.open(directory, "one");
        HistoryWriter two = HistoryWriter.open(directory, "two")) {
      one.append(new Event.Started(10, "one", 1));
      two.append(new Event.Started(5, "two", 2));
      two.append(new Event.Finished(20, "two"));
      one.append(new Event.Finished(15, "one"));
    }
    assertEquals(
        List.of(5L, 10L, 15L, 20L),
        History.read(directory).events().stream().map(Event::at).toList());
  }

  @Test
  void aNameIsUsedOnce() {
    HistoryWriter.open(directory, "p").close();
    assertThrows(UncheckedIOException.class, () -> HistoryWriter.open(directory, "p"));
  }

  @Test
  void anInterruptedThreadWritesToo() {
    try (HistoryWriter writer = HistoryWriter.open(directory, "p")) {
      Thread.currentThread().interrupt();
      writer.append(new Event.Started(1, "p", 1));
      assertTrue(Thread.interrupted());
      writer.append(new Event.Finished(2, "p"));
    }
    assertFalse(Thread.currentThread().isInterrupted());
    assertEquals(2, History.read(directory).events().size());
  }
}
