/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.Share;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An event as a line of text: time, process and kind, then {@code name=value}, between tabs. The
 * kinds and names are those of the records. The share of a lock is left out: it comes last.
 */
final class EventLine {

  private static final Map<String, Kind> KINDS =
      kinds(Event.class).collect(Collectors.toUnmodifiableMap(Class::getSimpleName, Kind::new));

  private static final Map<Class<?>, Function<String, Object>> PARSERS =
      Map.of(
          long.class, Long::parseLong,
          String.class, EventLine::unescaped,
          Duration.class, Duration::parse,
          Share.class, EventLine::share);

  private static final Pattern PERMITS = Pattern.compile("(\\d{1,7}) of (\\d{1,7})");

  /** Time and process come before the kind. */
  private static final int COMMON = 2;

  private EventLine() {}

  /** The records. */
  static Stream<Class<?>> kinds(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(EventLine::kinds)
        : Stream.of(type);
  }

  static String of(Event event) {
    Kind kind = Objects.requireNonNull(KINDS.get(event.getClass().getSimpleName()));
    StringBuilder line = new StringBuilder(120);
    line.append(event.at()).append('\t').append(escaped(event.process()));
    line.append('\t').append(kind.type.getSimpleName());
    for (int i = COMMON; i < kind.components.length; i++) {
      Object value = kind.value(event, i);
      if (!Share.LOCK.equals(value)) {
        line.append('\t').append(kind.components[i].getName());
        line.append('=').append(escaped(String.valueOf(value)));
      }
    }
    return line.append('\n').toString();
  }

  /**
   * The other way round.
   *
   * @param line without its end
   * @throws IllegalArgumentException if that is no event
   */
  static Event parse(String line) {
    String[] words = line.split("\t", -1);
    Kind kind = words.length > COMMON ? KINDS.get(words[COMMON]) : null;
    if (kind == null || !kind.has(words.length - 1)) {
      throw new IllegalArgumentException("no event: " + line);
    }
    Object[] values = new Object[kind.components.length];
    values[values.length - 1] = Share.LOCK;
    values[0] = Long.parseLong(words[0]);
    values[1] = unescaped(words[1]);
    for (int i = COMMON; i < words.length - 1; i++) {
      String name = kind.components[i].getName() + "=";
      String word = words[i + 1];
      if (!word.startsWith(name)) {
        throw new IllegalArgumentException("no " + name + " at its place: " + line);
      }
      values[i] = value(kind.components[i].getType(), word.substring(name.length()));
    }
    return kind.event(values);
  }

  private static Object value(Class<?> type, String text) {
    Function<String, Object> parser = PARSERS.get(type);
    if (parser != null) {
      return parser.apply(text);
    }
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> constant.toString().equals(text))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no " + type.getSimpleName() + ": " + text));
  }

  private static Share share(String text) {
    Matcher permits = PERMITS.matcher(text);
    if (permits.matches()) {
      return Share.of(Integer.parseInt(permits.group(1)), Integer.parseInt(permits.group(2)));
    }
    return Stream.of(Share.LOCK, Share.READ, Share.WRITE)
        .filter(share -> share.toString().equals(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no share: " + text));
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }

  private static String unescaped(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    StringBuilder plain = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        i++;
        c =
            switch (text.charAt(i)) {
              case 't' -> '\t';
              case 'n' -> '\n';
              case 'r' -> '\r';
              default -> text.charAt(i);
            };
      }
      plain.append(c);
    }
    return plain.toString();
  }

  /** One of the records. */
  private static final class Kind {

    final Class<?> type;
    final RecordComponent[] components;
    private final Constructor<?> constructor;

    Kind(Class<?> type) {
      this.type = type;
      components = type.getRecordComponents();
      try {
        constructor =
            type.getDeclaredConstructor(
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      } catch (NoSuchMethodException e) {
        throw new LinkageError("every record has it", e);
      }
    }

    /** Whether so many values make an event. */
    boolean has(int values) {
      boolean shared = components[components.length - 1].getType() == Share.class;
      return values == components.length || (shared && values == components.length - 1);
    }

    Object value(Event event, int component) {
      try {
        return components[component].getAccessor().invoke(event);
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("an accessor only reads", e);
      }
    }

    Event event(Object... values) {
      try {
        return (Event) constructor.newInstance(values);
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("its constructor only keeps", e);
      }
    }
  }
}
