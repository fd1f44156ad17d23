/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import com.example.orders.Shop.Instance;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Chromium without a window, and what the page of an instance looks like in it. */
record Browser(Path program) {

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final int PATIENCE_SECONDS = 90;
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /**
   * What was seen.
   *
   * @param facts by what was looked at and the width in pixels, such as {@code overflow 360}
   * @param console what was written there
   */
  record Seen(Map<String, String> facts, List<String> console) {}

  static Optional<Browser> installed() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .flatMap(place -> NAMES.stream().map(name -> Path.of(place, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Browser::new);
  }

  /** Opens the page, narrow and wide. Only this host can be reached. */
  Seen look(Path directory, Instance instance, boolean dark)
      throws IOException, InterruptedException {
    Files.createDirectories(directory);
    Path dom = directory.resolve("dom");
    Path errors = directory.resolve("errors");
    ExecutorService threads = Executors.newCachedThreadPool();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", exchange -> forward(exchange, instance));
    server.createContext("/probe", exchange -> answer(exchange, 200, "text/html", probe()));
    server.start();
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                "--user-data-dir=" + directory.resolve("profile"),
                "--blink-settings=preferredColorScheme=" + (dark ? 0 : 1),
                "--window-size=1500,1000",
                "--enable-logging=stderr",
                "--virtual-time-budget=20000",
                "--dump-dom",
                "http://127.0.0.1:" + server.getAddress().getPort() + "/probe")
            .redirectOutput(dom.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("the browser does not end: " + Files.readString(errors));
      }
    } finally {
      process.destroyForcibly();
      server.stop(0);
      threads.shutdownNow();
    }
    String text = Files.readString(dom);
    if (!text.contains("looked")) {
      throw new AssertionError("the page was not looked at: " + Files.readString(errors) + text);
    }
    Map<String, String> facts = new TreeMap<>();
    for (String line : text.lines().toList()) {
      String[] words = line.replaceFirst("^.*<body>", "").split(" ", 3);
      if (words.length == 3) {
        facts.put(words[0] + " " + words[1], words[2]);
      }
    }
    try (Stream<String> lines = Files.lines(errors)) {
      return new Seen(facts, lines.filter(line -> line.contains("CONSOLE")).toList());
    }
  }

  /** To the probe, the page is of the same origin. */
  private static void forward(HttpExchange exchange, Instance instance) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(instance.uri(exchange.getRequestURI().toString())))
            .header("Content-Type", "application/json")
            .method(
                exchange.getRequestMethod(),
                BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()))
            .build();
    try {
      HttpResponse<byte[]> answer = HTTP.send(request, BodyHandlers.ofByteArray());
      answer(
          exchange,
          answer.statusCode(),
          answer.headers().firstValue("Content-Type").orElse("text/plain"),
          answer.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void answer(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static byte[] probe() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(Browser.class.getResourceAsStream("probe.html"), "probe.html")) {
      return in.readAllBytes();
    }
  }
}
