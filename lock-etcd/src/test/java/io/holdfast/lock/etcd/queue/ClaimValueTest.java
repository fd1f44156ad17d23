/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.holdfast.lock.Share;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Isolated("sets the locale of the JVM")
class ClaimValueTest {

  private final Locale before = Locale.getDefault();

  static Stream<ClaimValue> values() {
    return Stream.of(
        ClaimValue.of("a", Share.LOCK),
        ClaimValue.of("a", Share.READ),
        ClaimValue.of("a", Share.WRITE),
        ClaimValue.of("a", Share.of(3, 5)),
        ClaimValue.of("a", Share.of(3, 5)).of(2, true));
  }

  @AfterEach
  void restore() {
    Locale.setDefault(before);
  }

  /** A value of another program may be anything, and has to be told as that. */
  @Test
  void aValueThatIsNotAShareIsNotRead() {
    for (String other :
        List.of(
            "§",
            "§5/2",
            "§5/0 a",
            "§0/1 a",
            "§9999999999/1 a",
            "§5/9999999999 a",
            "§1/1 a",
            "§5/2 a b",
            "§§5/2 a")) {
      KeyValue put = KeyValue.newBuilder().setValue(ByteString.copyFromUtf8(other)).build();
      assertEquals(Optional.empty(), ClaimValue.of(put), other);
    }
  }

  /** A capacity that was made smaller. */
  @Test
  void aHolderOfMoreThanTheCapacityIsRead() {
    KeyValue put = KeyValue.newBuilder().setValue(ByteString.copyFromUtf8("§2/5! a")).build();
    ClaimValue read = ClaimValue.of(put).orElseThrow();
    assertEquals(new ClaimValue("a", 5, 2, true), read);
    assertEquals(Share.of(2, 2), read.share());
  }

  @ParameterizedTest
  @MethodSource("values")
  void othersReadWhatOneWithOtherDigitsHasPut(ClaimValue value) {
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    KeyValue put = KeyValue.newBuilder().setValue(value.value()).build();
    assertEquals(Optional.of(value), ClaimValue.of(put));
  }
}
