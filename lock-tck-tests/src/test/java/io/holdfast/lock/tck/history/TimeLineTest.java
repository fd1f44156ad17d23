/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.tck.history.Violation.Kind;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The pictures, as far as a program can look at them. */
class TimeLineTest {

  private static final Expectations DEMANDED = Expectations.of(Duration.ofSeconds(2));

  @TempDir Path directory;

  /** A run in which somebody believes for 30 ms more than right, while the next one works. */
  static History withOverlap() {
    History right = GeneratedHistory.run(2, 30);
    List<Event> events = new ArrayList<>(right.events());
    Event.Released released =
        right.events().stream()
            .filter(event -> event instanceof Event.Released)
            .map(Event.Released.class::cast)
            .skip(400)
            .findFirst()
            .orElseThrow();
    long until = released.at() + GeneratedHistory.millis(30);
    events.remove(released);
    events.add(new Event.Believed(until, released.process(), released.attempt()));
    events.add(
        new Event.Released(until + 1, released.process(), released.attempt(), released.outcome()));
    return new History(events);
  }

  @Test
  void aLongRunWithoutFaultIsJudgedSo() {
    for (long seed = 0; seed < 20; seed++) {
      assertEquals(
          List.of(), Checker.check(GeneratedHistory.run(seed, 60), DEMANDED), "seed " + seed);
    }
    History history = GeneratedHistory.run(1, 600);
    assertTrue(history.events().size() > 100_000, () -> history.events().size() + " events");
    assertEquals(List.of(), Checker.check(history, DEMANDED));
  }

  @Test
  void theTwoOfAnOverlapAreMarked() throws Exception {
    History history = withOverlap();
    List<Violation> violations = Checker.check(history, DEMANDED);
    assertEquals(Kind.OVERLAP, violations.get(0).kind());
    for (String svg :
        List.of(
            TimeLine.of(history).close(violations.get(0)),
            TimeLine.of(history).around(violations.get(0)))) {
      Document picture = parsed(svg);
      assertEquals(2, count(picture, "rect", ".* marked"), svg);
      assertEquals(1, count(picture, "rect", "clash"));
      Event.Granted granted = (Event.Granted) violations.get(0).events().get(2);
      assertTrue(svg.contains("with token " + granted.token() + ":"));
    }
  }

  @Test
  void aWholeRunIsDrawnInAsManyShapesAsThereIsRoomFor() throws Exception {
    History history = GeneratedHistory.run(1, 600);
    String svg = TimeLine.of(history).whole(List.of());
    Document picture = parsed(svg);
    assertTrue(count(picture, "rect", "held c[01]") > 100);
    assertTrue(count(picture, "rect", "held c[01]") < 18 * 1030);
    assertEquals(3, count(picture, "rect", "fault") - 1, "but for the legend");
    assertTrue(count(picture, "rect", "suspended") > 3);
    assertTrue(count(picture, "path", "lost") > 3);
  }

  @Test
  void everyKindOfViolationCanBeDrawn() throws Exception {
    History history = withOverlap();
    Event event = history.events().get(77);
    for (Kind kind : Kind.values()) {
      Violation violation = new Violation(kind, "<&\">", List.of(event, event, event, event));
      parsed(TimeLine.of(history).around(violation));
      parsed(TimeLine.of(history).close(violation));
    }
  }

  @Test
  void thePageNeedsNothingElse() throws IOException {
    History history = withOverlap();
    List<Violation> violations = Checker.check(history, DEMANDED);
    Path file = directory.resolve("page.html");
    TimeLine.of(history).write(file, "a <run>", violations);
    String page = Files.readString(file);
    assertTrue(page.contains("<h1>a &lt;run&gt;</h1>"));
    assertTrue(page.contains(violations.get(0).sentence()));
    assertFalse(
        Pattern.compile("(src|href)=(?!\"data:,\")|url\\((?!#)|@import").matcher(page).find(),
        "a resource");
  }

  @Test
  void anEmptyRunIsAPageToo() {
    String page = TimeLine.of(new History(List.of())).page("nothing", List.of());
    assertTrue(page.contains("<li class=\"HELD\"><b>0</b> violations</li>"), page);
  }

  private static Document parsed(String svg) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
  }

  private static long count(Document picture, String element, String style) {
    NodeList found = picture.getElementsByTagName(element);
    long count = 0;
    for (int i = 0; i < found.getLength(); i++) {
      count += ((Element) found.item(i)).getAttribute("class").matches(style) ? 1 : 0;
    }
    return count;
  }
}
