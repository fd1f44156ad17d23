/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.etcd.jetcd.api.KeyValue;
import io.holdfast.lock.Share;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Isolated("sets the locale of the JVM")
class ContenderTest {

  private final Locale before = Locale.getDefault();

  static Stream<Contender> contenders() {
    return Stream.of(
        Contender.of("a", Share.LOCK),
        Contender.of("a", Share.READ),
        Contender.of("a", Share.WRITE),
        Contender.of("a", Share.of(3, 5)),
        Contender.of("a", Share.of(3, 5)).of(2, true));
  }

  @AfterEach
  void restore() {
    Locale.setDefault(before);
  }

  @ParameterizedTest
  @MethodSource("contenders")
  void othersReadWhatOneWithOtherDigitsHasPut(Contender contender) {
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    KeyValue put = KeyValue.newBuilder().setValue(contender.value()).build();
    assertEquals(Optional.of(contender), Contender.of(put));
  }
}
