/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.lock.servers.Ports;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Prometheus server of one test, with Debian's program. */
final class Prometheus implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final String address;
  private final Path output;
  private final HttpClient http = HttpClient.newHttpClient();

  private Prometheus(Process process, String address, Path output) {
    this.process = process;
    this.address = address;
    this.output = output;
  }

  /** A program of the package {@code prometheus}. */
  static Optional<Path> program(String name) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Runs {@code promtool}, which has to be content. */
  static void check(Path directory, String... arguments) throws IOException, InterruptedException {
    Path output = directory.resolve("promtool.out");
    List<String> command =
        Stream.concat(Stream.of(program("promtool").orElseThrow().toString()), Stream.of(arguments))
            .toList();
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (process.waitFor() != 0) {
      throw new AssertionError(command + ": " + Files.readString(output));
    }
  }

  static Prometheus start(Path directory, int scraped, Path rules) throws IOException {
    int port = Ports.free();
    Path configuration = directory.resolve("prometheus.yml");
    Files.writeString(
        configuration,
        """
        global:
          scrape_interval: 500ms
          scrape_timeout: 500ms
          evaluation_interval: 1s
        rule_files: ['%s']
        scrape_configs:
          - job_name: app
            static_configs:
              - targets: ['127.0.0.1:%d']
        """
            .formatted(rules.toAbsolutePath(), scraped));
    Path output = directory.resolve("prometheus.out");
    Process process =
        new ProcessBuilder(
                program("prometheus").orElseThrow().toString(),
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new Prometheus(process, "http://127.0.0.1:" + port, output);
  }

  boolean isReady() {
    if (!process.isAlive()) {
      throw new AssertionError("Prometheus has ended: " + output());
    }
    try {
      return get("/-/ready").statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** The result of a query now: series with labels ({@code metric}) and a value. */
  JsonNode query(String expression) {
    return api("/api/v1/query?query=" + URLEncoder.encode(expression, UTF_8)).get("result");
  }

  /** The state of the rules. */
  JsonNode rules() {
    return api("/api/v1/rules").get("groups");
  }

  private JsonNode api(String path) {
    try {
      HttpResponse<String> response = get(path);
      JsonNode answer = JSON.readTree(response.body());
      if (!answer.path("status").asText().equals("success")) {
        throw new AssertionError(path + ": " + response.body());
      }
      return answer.get("data");
    } catch (IOException e) {
      throw new AssertionError(path + ": " + output(), e);
    }
  }

  private HttpResponse<String> get(String path) throws IOException {
    try {
      return http.send(
          HttpRequest.newBuilder(URI.create(address + path))
              .timeout(Duration.ofSeconds(10))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
