/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.Share;
import java.util.Locale;
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
}
