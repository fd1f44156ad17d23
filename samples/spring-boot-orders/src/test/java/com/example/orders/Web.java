/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import com.example.orders.Shop.Instance;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** What customers and operators send. */
final class Web {

  private static final HttpClient HTTP = HttpClient.newHttpClient();

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

  static HttpResponse<String> get(Instance instance, String path)
      throws IOException, InterruptedException {
    return send(instance, "GET", path);
  }

  static HttpResponse<String> delete(Instance instance, String path)
      throws IOException, InterruptedException {
    return send(instance, "DELETE", path);
  }

  private static HttpResponse<String> send(Instance instance, String method, String path)
      throws IOException, InterruptedException {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create(instance.uri(path)))
            .timeout(Duration.ofSeconds(30))
            .method(method, BodyPublishers.noBody())
            .build(),
        BodyHandlers.ofString());
  }
}
