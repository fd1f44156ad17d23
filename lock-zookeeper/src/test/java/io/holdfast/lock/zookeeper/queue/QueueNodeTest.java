/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.Share;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("sets the locale of the JVM")
class QueueNodeTest {

  private final Locale before = Locale.getDefault();

  @AfterEach
  void restore() {
    Locale.setDefault(before);
  }

  @Test
  void othersReadTheNameThatOneWithOtherDigitsHasReduced() {
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    QueueNode writer =
        QueueNode.of("w~" + QueueNode.text(Share.WRITE) + "0000000007").orElseThrow();
    QueueNode reader = QueueNode.of(writer.reducedTo(1, 4711)).orElseThrow();
    assertEquals(Share.READ, reader.share());
    assertEquals(7, reader.sequence());
  }

  /** A node of somebody else's has to stop neither locks nor the list of them. */
  @Test
  void aNodeThatIsNotAShareIsNotInTheQueue() {
    for (String share : List.of("0of5", "6of5", "1of0", "9999999999of5", "1of9999999999", "of5")) {
      assertEquals(Optional.empty(), QueueNode.of("w~" + share + "~0000000007"), share);
    }
  }

  @Test
  void aShareThatIsReducedAgainKeepsTheNumberOfItsGrant() {
    QueueNode five = QueueNode.of("w~5of5~0000000007").orElseThrow();
    QueueNode three = QueueNode.of(five.reducedTo(3, 4711)).orElseThrow();
    QueueNode one = QueueNode.of(three.reducedTo(1, 4711)).orElseThrow();
    assertEquals(Share.of(1, 5), one.share());
    assertEquals(OptionalLong.of(4711), one.grantedAs());
    assertEquals(7, one.sequence());
  }
}
