/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Locks;
import io.holdfast.lock.cli.common.ExitCodes;
import io.holdfast.lock.cli.common.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests that need no server: the choice of the backend, help, completion, and errors. */
class CommandLineTest {

  private static final Path PAGE = Path.of("..", "docs", "command-line.md");

  @TempDir private Path directory;

  @Test
  void providersSayWhatTheyPromise() {
    Cli shown = Cli.run("providers");
    assertEquals(ExitCodes.OK, shown.code());
    for (String provider : Locks.providers()) {
      assertTrue(
          shown.out().lines().anyMatch(line -> line.startsWith(provider + " ")), shown.out());
    }
    assertTrue(shown.out().contains("\nmemory (for tests) "), shown.out());
    assertEquals(2, shown.out().split("\\(for tests\\)", -1).length, shown.out());
    Cli json = Cli.run("providers", "--json");
    assertEquals("while data lasts", json.field("fencing"));
    assertEquals(Locks.providers().size(), json.out().split("\"provider\":", -1).length - 1);
  }

  @Test
  void itHasToBePlainWhichBackendIsMeant() throws IOException {
    String empty = file("# nothing");
    assertWrong("Which backend? " + empty + " does not name", "who", "x", "--config", empty);
    assertWrong("There is no holdfast.properties here", "who", "x");
    assertWrong(
        "[a, b]", "who", "x", "--config", file("backend.a.url=memory:", "backend.b.url=memory:"));
    assertWrong("postgres-row", "who", "x", "--backend", "jdbc:postgresql://localhost/x");
    assertWrong(
        "did you mean 'uri'", "who", "x", "--backend", "redis://localhost:1", "--set", "urk=1");
    String database = file("url=jdbc:postgresql://localhost:1/x");
    assertWrong("'backend.default.provider'", "who", "x", "--config", database);
    for (String[] args :
        List.of(
            new String[] {"who", "x", "--backend", "jdbc:postgresql://localhost/x"},
            new String[] {
              "who",
              "x",
              "--scenario",
              "s",
              "--backend",
              "jdbc:postgresql://localhost/x",
              "--config",
              file("scenario.s.ttl=9s")
            })) {
      assertWrong("--provider", args);
      assertTrue(!Cli.run(args).err().contains("command-line"), Cli.run(args).err());
    }
    assertWrong("(on the command line)", "who", "x", "--backend", "memory:", "--set", "urk=1");
    assertWrong(
        "'zoo'", "who", "x", "--backend", "zoo", "--config", file("backend.zoe.url=memory:"));
    assertWrong(
        "financial",
        "who",
        "x",
        "--scenario",
        "financial",
        "--config",
        file("backend.main.url=redis://localhost:1"));
    assertWrong(
        "--provider is for --backend", "who", "x", "--scenario", "cache", "--provider", "redis");
  }

  @Test
  void anUnknownBackendIsToldHowToNameOne() throws IOException {
    assertWrong("such as --backend redis://localhost:6379", "who", "x", "--backend", "redis");
    assertWrong("--provider redis --set uri=", "who", "x", "--backend", "redis");
    assertWrong("--provider postgres-row", "who", "x", "--backend", "postgres-row");
    assertWrong("--provider redlock and", "who", "x", "--backend", "redlock");
    assertWrong("'zoo'. There is no holdfast.properties", "who", "x", "--backend", "zoo");
    assertWrong(
        "did you mean 'jobs'? The configuration has jobs, main",
        "who",
        "x",
        "--scenario",
        "cache",
        "--backend",
        "job",
        "--config",
        file("backend.jobs.url=memory:", "backend.main.url=memory:"));
    for (String address : List.of("localhost:6379", "http://u:hunter@localhost:2379")) {
      assertWrong(
          "addresses begin with redis://, rediss://, etcd://", "who", "x", "--backend", address);
      assertTrue(!Cli.run("who", "x", "--backend", address).err().contains("hunter"), address);
    }
    assertWrong(
        "--backend is not an address of provider 'etcd'",
        "who",
        "x",
        "--backend",
        "localhost:2379",
        "--provider",
        "etcd");
  }

  @Test
  void settingsAndTermsAreNamedAsTheyWereTyped() {
    assertWrong(
        "--set user is given twice",
        "who",
        "x",
        "--backend",
        "memory:",
        "--set",
        "user=a",
        "--set",
        "user=b");
    assertWrong("--set takes KEY=VALUE", "who", "x", "--backend", "memory:", "--set", "user");
    for (String ttl : List.of("0s", "1ms")) {
      assertWrong("--ttl", "doctor", "--backend", "memory:", "--ttl", ttl);
      String said = Cli.run("doctor", "--backend", "memory:", "--ttl", ttl).err();
      assertTrue(!said.contains("command-line") && !said.contains("{"), said);
    }
    assertWrong("--ttl must be from 100 ms", "doctor", "--backend", "memory:", "--ttl", "1ms");
    assertWrong("--ttl is '0s'", "doctor", "--backend", "memory:", "--ttl", "0s");
    assertWrong("holdfast run --name nightly", "run", "nightly", "--backend", "memory:");
  }

  @Test
  void aBackendIsFoundByAddressNameAndScenario() throws IOException {
    String two = file("backend.a.url=memory:", "backend.b.url=redis://localhost:1");
    for (List<String> options :
        List.of(
            List.of("--backend", "memory:"),
            List.of("--provider", "memory"),
            List.of("--backend", "a", "--config", two),
            List.of("--config", file("provider=memory")),
            List.of("--config", file("backend.only.url=memory:"), "--set", "namespace=jobs"),
            List.of(
                "--scenario", "s", "--config", file("backend.x.url=memory:", "scenario.s.ttl=9s")),
            List.of("--scenario", "cache", "--backend", "a", "--config", two))) {
      String[] args = new String[2 + options.size()];
      args[0] = "status";
      args[1] = "--json";
      for (int i = 0; i < options.size(); i++) {
        args[2 + i] = options.get(i);
      }
      Cli shown = Cli.run(args);
      assertEquals(ExitCodes.OK, shown.code(), shown.toString());
      assertEquals("memory", shown.field("provider"));
      assertEquals("0", shown.field("held"));
    }
  }

  @Test
  void anErrorIsSaidInALineOrTwo() {
    assertWrong("Did you mean: holdfast providers", "provides");
    assertWrong("'soon' is not a duration", "watch", "--for", "soon", "--backend", "memory:");
    assertWrong("from 1 to", "list", "--limit", "0", "--backend", "memory:");
    assertWrong("must not be empty", "who", "", "--backend", "memory:");
    assertWrong("Did you mean: holdfast list", "lst", "--backend", "memory:");
    assertWrong("--froce", "release", "--froce", "x", "--backend", "memory:");
    assertWrong("released by its holder", "release", "x", "--yes", "--backend", "memory:");
    assertWrong("--force takes it", "release", "x", "--yes", "--backend", "memory:");
    assertWrong("--yes", "release", "--force", "x", "--backend", "memory:");
    assertWrong("'--to=N'", "resize", "x", "--from", "5", "--backend", "memory:");
    for (String one : List.of("0", "1", "1000001")) {
      assertWrong("from 2 to", "resize", "x", "--from", one, "--to", "5", "--backend", "memory:");
      assertWrong("from 2 to", "resize", "x", "--from", "5", "--to", one, "--backend", "memory:");
    }
  }

  @Test
  void optionsOfDifferentKindsOfLocksExcludeEachOther() {
    assertWrongRun("--shared and --exclusive exclude each other", "--shared", "--exclusive");
    assertWrongRun("--shared and --of exclude each other", "--shared", "--of", "5");
    assertWrongRun("--exclusive and --permits exclude", "--exclusive", "--permits", "2");
    assertWrongRun("--of is missing", "--permits", "2");
    assertWrongRun("--of must be from 1 to 1000000, but is 0", "--of", "0");
    assertWrongRun("--permits must be from 1 to 5", "--permits", "6", "--of", "5");
    assertWrongRun("--permits must be from 1 to 5", "--permits", "0", "--of", "5");
    assertWrongRun("--shared takes one --name", "--shared", "--name", "other");
    assertWrongRun("--of takes one --name", "--of", "5", "--name", "other");
  }

  @Test
  void aScenarioSaysHowManyPermitsThereAre() throws IOException {
    String config = file("backend.main.url=memory:", "scenario.exports.permits=5");
    List<String> run = List.of("run", "--name", "x", "--scenario", "exports", "--config", config);
    assertEquals(ExitCodes.OK, runTrue(run, "--permits", "5").code());
    Cli tooMany = runTrue(run, "--permits", "6");
    assertEquals(ExitCodes.USAGE, tooMany.code(), tooMany.toString());
    assertTrue(tooMany.err().contains("--permits must be from 1 to 5"), tooMany.err());
    assertEquals(ExitCodes.OK, runTrue(run, "--permits", "6", "--of", "8").code());
  }

  private static Cli runTrue(List<String> run, String... options) {
    List<String> all = new ArrayList<>(run);
    all.addAll(List.of(options));
    all.addAll(List.of("--", "true"));
    return Cli.run(all.toArray(String[]::new));
  }

  private static void assertWrongRun(String hint, String... options) {
    List<String> all = new ArrayList<>(List.of("run", "--name", "nightly"));
    all.addAll(List.of("--backend", "memory:"));
    all.addAll(List.of(options));
    all.addAll(List.of("--", "true"));
    assertWrong(hint, all.toArray(String[]::new));
  }

  @Test
  void noSecretIsShown() {
    Cli failed = Cli.run("status", "--backend", "redis://u:hunter@localhost:1");
    assertEquals(ExitCodes.UNAVAILABLE, failed.code());
    assertTrue(!failed.toString().contains("hunter"), failed.toString());
  }

  @Test
  void everyCommandHasExamplesAndEveryExitCodeIsOnThePage() throws IOException {
    Set<String> codes = new TreeSet<>();
    CommandLine all = Main.commandLine(Terminal.none());
    all.getSubcommands()
        .forEach(
            (name, command) -> {
              if (!Set.of("demo", "generate-completion").contains(name)) {
                String help = command.getUsageMessage();
                assertTrue(help.contains("Examples:") && help.contains("Exit codes:"), help);
                codes.addAll(command.getCommandSpec().usageMessage().exitCodeList().keySet());
              }
            });
    String page = Files.readString(PAGE);
    codes.forEach(code -> assertTrue(page.contains("| " + code + " |"), "no exit code " + code));
    all.getSubcommands()
        .keySet()
        .forEach(name -> assertTrue(page.contains("holdfast " + name), "no command " + name));
  }

  @Test
  void theScriptsTellTheirUse() throws Exception {
    for (String script : List.of("verify", "soak")) {
      Process process =
          new ProcessBuilder(Path.of("..", script).toString(), "--help")
              .redirectErrorStream(true)
              .start();
      String text = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertEquals(0, process.waitFor(), text);
      assertTrue(text.startsWith("Usage: ./" + script + " "), text);
    }
  }

  @Test
  void theCompletionIsAScriptThatKnowsTheCommands() throws Exception {
    Cli script = Cli.run("generate-completion");
    assertEquals(ExitCodes.OK, script.code(), script.err());
    Path file = directory.resolve("holdfast.bash");
    Files.writeString(file, script.out());
    Process bash =
        new ProcessBuilder(
                "bash",
                "-c",
                "source "
                    + file
                    + "; COMP_WORDS=(holdfast rel); COMP_CWORD=1; COMP_LINE='holdfast rel';"
                    + " COMP_POINT=12; _complete_holdfast; echo \"${COMPREPLY[*]}\"")
            .redirectErrorStream(true)
            .start();
    assertTrue(bash.waitFor(60, TimeUnit.SECONDS));
    assertEquals("release", new String(bash.getInputStream().readAllBytes(), UTF_8).strip());
  }

  private String file(String... lines) throws IOException {
    Path file = Files.createTempFile(directory, "locks", ".properties");
    return Files.write(file, List.of(lines)).toString();
  }

  private static void assertWrong(String hint, String... args) {
    Cli failed = Cli.run(args);
    assertEquals(ExitCodes.USAGE, failed.code(), failed.toString());
    assertTrue(failed.err().contains(hint), failed.err());
    assertTrue(failed.err().lines().count() <= 4, failed.err());
    assertEquals("", failed.out());
  }
}
