/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import com.example.orders.Shop.Instance;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The requests of customers and operators. */
final class Web {

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Pattern FIELD = Pattern.compile("\"(owner|client)\":\"([^\"]+)\"");
  private static final Pattern SHARE = Pattern.compile("\"share\":\"([^\"]+)\"");
  private static final Pattern COUNT =
      Pattern.compile("\"statistic\":\"COUNT\",\"value\":([0-9.E]+)");

  private Web() {}

  static CompletableFuture<HttpResponse<String>> order(
      Instance instance, UUID id, String item, Duration patience) {
    return HTTP.sendAsync(
        HttpRequest.newBuilder(URI.create(instance.uri("/orders")))
            .timeout(patience)
            .header("Content-Type", "application/json")
            .POST(
                BodyPublishers.ofString(
                    "{\"id\":\"%s\",\"item\":\"%s\",\"quantity\":1}".formatted(id, item)))
            .build(),
        BodyHandlers.ofString());
  }

  static CompletableFuture<HttpResponse<String>> price(Instance instance, String item, int cents) {
    return send(instance, "PUT", "/prices/%s?cents=%d".formatted(item, cents));
  }

  static CompletableFuture<HttpResponse<String>> export(Instance instance) {
    return send(instance, "GET", "/exports");
  }

  static HttpResponse<String> delete(Instance instance, String path) {
    return send(instance, "DELETE", path).join();
  }

  /** The body of a successful answer. */
  static Optional<String> found(Instance instance, String path) {
    HttpResponse<String> answer = send(instance, "GET", path).join();
    return answer.statusCode() == 200 ? Optional.of(answer.body()) : Optional.empty();
  }

  /** Owner and client of a holder. */
  static Map<String, String> holder(Instance asked, String lock) {
    Matcher fields = FIELD.matcher(found(asked, "/actuator/locks/" + lock).orElse(""));
    return fields
        .results()
        .collect(Collectors.toMap(field -> field.group(1), field -> field.group(2)));
  }

  /** The share of each holder of a lock. */
  static List<String> shares(Instance asked, String lock) {
    Matcher shares = SHARE.matcher(found(asked, "/actuator/locks/" + lock).orElse(""));
    return shares.results().map(share -> share.group(1)).toList();
  }

  static double count(Instance instance, String meter) {
    Matcher count = COUNT.matcher(found(instance, "/actuator/metrics/" + meter).orElse(""));
    return count.find() ? Double.parseDouble(count.group(1)) : 0;
  }

  private static CompletableFuture<HttpResponse<String>> send(
      Instance instance, String method, String path) {
    return HTTP.sendAsync(
        HttpRequest.newBuilder(URI.create(instance.uri(path)))
            .timeout(PATIENCE)
            .method(method, BodyPublishers.noBody())
            .build(),
        BodyHandlers.ofString());
  }
}
