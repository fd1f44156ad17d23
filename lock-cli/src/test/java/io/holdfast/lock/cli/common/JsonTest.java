/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonTest {

  @Test
  void nestsAndKeepsTheOrder() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("b", List.of(1, 2L, true));
    map.put("a", Optional.of(Map.of()));
    map.put("none", Optional.empty());
    map.put("null", null);
    assertEquals("{\"b\":[1,2,true],\"a\":{},\"none\":null,\"null\":null}", Json.of(map));
    assertEquals("[]", Json.of(List.of()));
    assertEquals("[null]", Json.of(Arrays.asList((Object) null)));
  }

  @Test
  void anyTextIsEscaped() {
    assertEquals("\"a\\\"b\\\\c\\n\\r\\t\"", Json.of("a\"b\\c\n\r\t"));
    assertEquals("\"\\u0000\\u001b[2J\\u007f\"", Json.of("\u0000\u001b[2J\u007f"));
    assertEquals("\"\\u00fc \\ud83d\\ude00 \\u2028\"", Json.of("ü 😀 \u2028"));
    assertEquals("{\"\\\"\":\"</script>\"}", Json.of(Map.of("\"", "</script>")));
  }

  @Test
  void aValueWithoutJsonIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Json.of(Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> Json.of(new Object()));
  }
}
