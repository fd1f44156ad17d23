/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The settings of one backend, as a provider reads them: typed, with errors that name the key, the
 * value and what is accepted. Every key that is asked for is known; {@link #finish()} refuses the
 * rest. Values of secret keys appear in no message and in no {@code toString}. For one thread.
 */
public final class Settings {

  /** Where locks live if {@code namespace} is not set. */
  public static final String DEFAULT_NAMESPACE = "lock";

  private static final Set<String> COMMON = Set.of("provider", "client-name", "namespace");
  private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  private final String subject;
  private final Map<String, Value> values;
  private final Set<String> common;
  private final SettingMessages messages;
  private final Map<String, String> known = new TreeMap<>();

  /**
   * A value, and what messages may say of it.
   *
   * @param text the value
   * @param origin where it was written; empty if that is plain
   * @param secret whether it must not be shown, though its key may be one whose values are
   */
  public record Value(String text, String origin, boolean secret) {

    /** Shows no value. */
    @Override
    public String toString() {
      return origin;
    }
  }

  /**
   * Wraps settings of a provider.
   *
   * @param provider the provider's name, for messages
   * @param values keys and values
   */
  public Settings(String provider, Map<String, String> values) {
    this("provider '" + provider + "'", withoutOrigin(values), COMMON);
  }

  /**
   * Wraps settings of a provider that are all in one place, such as a file.
   *
   * @param provider the provider's name, for messages
   * @param values by their keys
   * @return the settings
   */
  public static Settings ofProvider(String provider, Map<String, Value> values) {
    return new Settings("provider '" + provider + "'", values, COMMON);
  }

  /**
   * Wraps settings of which it is known where they were written.
   *
   * @param subject whose they are, for messages: {@code backend 'main' of provider 'redis'}
   * @param values by their keys
   * @param common keys that messages name as known before they are asked for, as others may read
   *     them first and take them away; {@link #finish()} refuses those that are left
   */
  public Settings(String subject, Map<String, Value> values, Set<String> common) {
    this.subject = subject;
    this.values = new TreeMap<>(values);
    this.common = Set.copyOf(common);
    this.messages = new SettingMessages(subject, this.values);
  }

  /**
   * The same settings, of which it is not known where they were written.
   *
   * @param texts by their keys
   * @return by the same keys
   */
  public static Map<String, Value> withoutOrigin(Map<String, String> texts) {
    Map<String, Value> values = new TreeMap<>();
    texts.forEach((key, text) -> values.put(key, new Value(text, "", false)));
    return values;
  }

  /**
   * The namespace: 1 to 64 letters, digits, dots, underscores and hyphens, the first a letter or
   * digit.
   *
   * @return {@value #DEFAULT_NAMESPACE} if not set
   */
  public String namespace() {
    known.put("namespace", DEFAULT_NAMESPACE);
    String namespace = text("namespace").orElse(DEFAULT_NAMESPACE);
    if (!NAMESPACE.matcher(namespace).matches()) {
      throw invalid(
          "namespace",
          namespace,
          "1 to 64 of A-Z a-z 0-9 . _ - beginning with a letter or a digit");
    }
    return namespace;
  }

  /**
   * A text.
   *
   * @param key its name
   * @return the value, if set
   */
  public Optional<String> text(String key) {
    known.putIfAbsent(key, "");
    return Optional.ofNullable(values.get(key)).map(Value::text);
  }

  /**
   * A text that must be there.
   *
   * @param key its name
   * @param example a good value, for the message
   * @return the value
   */
  public String required(String key, String example) {
    return text(key)
        .filter(value -> !value.isBlank())
        .orElseThrow(() -> messages.missing(key, example, expected()));
  }

  /** The common keys, and those that were asked for so far. */
  private Set<String> expected() {
    Set<String> expected = new TreeSet<>(known.keySet());
    expected.addAll(common);
    return expected;
  }

  /**
   * Refuses a key that has another name now.
   *
   * @param old the former name
   * @param key the name today
   * @throws LockConfigurationException if the former name is used; it says where, and names the
   *     other
   */
  public void renamed(String old, String key) {
    if (values.containsKey(old)) {
      throw messages.renamed(old, key);
    }
  }

  /**
   * Looks for a key that is a mistyped form of one that is missing.
   *
   * @param missing the key that is needed
   * @param values what there is instead
   * @return as the middle of a message, {@code "; did you mistype it as 'ulr' (app.properties, line
   *     3)?"}; empty if nothing is near
   */
  public static String suggestionFor(String missing, Map<String, Value> values) {
    return SettingMessages.suggestionFor(missing, values);
  }

  /**
   * A value made of text, whose parser says what is wrong by throwing {@link
   * IllegalArgumentException}. The value appears in the message, so this is not for secrets.
   *
   * @param key its name
   * @param accepted what is accepted, for the message
   * @param parser makes the value
   * @param <T> the type
   * @return the value, if set
   */
  public <T> Optional<T> parsed(String key, String accepted, Function<String, T> parser) {
    return text(key)
        .map(
            value -> {
              try {
                return parser.apply(value);
              } catch (IllegalArgumentException e) {
                throw invalid(key, value, accepted);
              }
            });
  }

  /**
   * A value made of text, or of a default.
   *
   * @param key its name
   * @param fallback the text if not set
   * @param accepted what is accepted, for the message
   * @param parser makes the value, as above
   * @param <T> the type
   * @return the value
   */
  public <T> T parsed(String key, String fallback, String accepted, Function<String, T> parser) {
    known.put(key, fallback);
    return parsed(key, accepted, parser).orElseGet(() -> parser.apply(fallback));
  }

  /**
   * A file of keys or certificates, and its password, which is the setting with {@code -password}
   * added to the key.
   *
   * @param key its name
   * @return the file, if set
   */
  public Optional<StoreFile> storeFile(String key) {
    String password = text(key + "-password").orElse("");
    return parsed(key, "a file that can be read", name -> StoreFile.readable(name, password));
  }

  /**
   * A positive duration such as {@code 500ms}, {@code 2s}, {@code 1m} or {@code PT2S}, at most 366
   * days, so that it can be multiplied and counted in nanoseconds.
   *
   * @param key its name
   * @return the value, if set
   */
  public Optional<Duration> duration(String key) {
    return parsed(
        key,
        "a positive duration of at most a year, such as 500ms, 2s, 1m or PT2S",
        TimeText::parse);
  }

  /**
   * The same, with a default.
   *
   * @param key its name
   * @param fallback if not set
   * @return the value
   */
  public Duration duration(String key, Duration fallback) {
    known.put(key, TimeText.of(fallback).replace(" ", ""));
    return duration(key).orElse(fallback);
  }

  /**
   * A whole number.
   *
   * @param key its name
   * @param fallback if not set
   * @param min the smallest that is accepted
   * @param max the largest that is accepted
   * @return the value
   */
  public int number(String key, int fallback, int min, int max) {
    known.put(key, String.valueOf(fallback));
    return parsed(
            key,
            "a whole number from " + min + " to " + max,
            value -> {
              int number = Integer.parseInt(value.trim());
              if (number < min || number > max) {
                throw new IllegalArgumentException();
              }
              return number;
            })
        .orElse(fallback);
  }

  /**
   * One of {@code true} and {@code false}.
   *
   * @param key its name
   * @param fallback if not set
   * @return the value
   */
  public boolean flag(String key, boolean fallback) {
    known.put(key, String.valueOf(fallback));
    return parsed(
            key,
            "true or false",
            value ->
                switch (value.trim()) {
                  case "true" -> true;
                  case "false" -> false;
                  default -> throw new IllegalArgumentException();
                })
        .orElse(fallback);
  }

  /**
   * The keys that were asked for so far, and their defaults, to compare documentation with.
   *
   * @return by its key, the default as it would be written; empty if there is none
   */
  public Map<String, String> known() {
    return new TreeMap<>(known);
  }

  /**
   * Refuses keys that nobody asked for.
   *
   * @throws LockConfigurationException if there are any; it names the nearest right key
   */
  public void finish() {
    for (String key : values.keySet()) {
      if (!known.containsKey(key)) {
        Set<String> others = expected();
        // A common key that nobody has asked for here is not known here.
        others.remove(key);
        throw messages.unknown(key, others);
      }
    }
  }

  /**
   * An error about a value that is not a secret. It shows the value, unless there is an at sign in
   * it: before that there may be a password.
   *
   * @param key its name
   * @param value what was given
   * @param accepted what is accepted
   * @return the exception, to be thrown
   */
  public LockConfigurationException invalid(String key, String value, String accepted) {
    return messages.invalid(key, value, accepted);
  }

  /**
   * Where a setting was written, for messages.
   *
   * @param key its name
   * @return as the middle of a message, {@code " (app.properties, line 3)"}; empty if that is plain
   */
  public String place(String key) {
    return SettingMessages.place(key, values);
  }

  /** Names the keys, and no values. */
  @Override
  public String toString() {
    return "Settings[" + subject + ", keys " + values.keySet() + "]";
  }
}
