/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.lock.spring.LockedConfiguration;
import io.holdfast.lock.testsupport.PageExamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.annotation.Bean;

/** The pages name every bean that users may ask for, and every property; their Java compiles. */
class SpringPageTest {

  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern BEAN = Pattern.compile("(?m)^\\| `(\\w+)` \\| `(\\w+)` \\|");
  private static final String SCENARIO = "holdfast.scenario.default.";
  private static final String LIMIT = "holdfast.scenario.rate-limit.";

  private static final Pattern TYPE = Pattern.compile("(?m)^(?:public )?class (\\w+)");

  /** Imports that the page leaves out, in addition to its own list. */
  private static final String IMPORTS =
      """
      import java.time.Duration;
      import org.springframework.beans.factory.annotation.Autowired;
      import org.springframework.boot.test.context.SpringBootTest;
      import org.springframework.scheduling.annotation.Scheduled;
      import org.springframework.stereotype.Component;
      import org.springframework.stereotype.Service;
      import org.springframework.transaction.annotation.Transactional;
      """;

  private static final String MEMBERS =
      """
      abstract class %s {
        interface Receipt {}
        io.holdfast.lock.LockClient client;
        LockTemplate template;
        long id;
        abstract Receipt pay(long id, long token);
      %s
      }
      """;

  @TempDir private Path dir;

  /** Others are the starter's own, and their names begin with that of the project. */
  @Test
  void thePageListsTheBeans() throws IOException {
    TreeSet<String> beans = new TreeSet<>();
    Stream.concat(
            ours(),
            Stream.of(LockedConfiguration.class, AutoConfigureMemoryLocks.MemoryLocks.class))
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .filter(method -> method.isAnnotationPresent(Bean.class))
        .filter(method -> !method.getName().startsWith("holdfast"))
        .forEach(
            method -> beans.add(method.getName() + " " + method.getReturnType().getSimpleName()));
    assertTrue(beans.size() > 9, beans::toString);
    String page = Files.readString(DOCS.resolve("spring.md"));
    TreeSet<String> listed =
        BEAN.matcher(page)
            .results()
            .map((MatchResult row) -> row.group(1) + " " + row.group(2))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(beans, listed);
  }

  @Test
  void itsJavaCompilesWithItsImports() throws IOException {
    List<String> blocks =
        PageExamples.blocks(PageExamples.page("spring.md"), "java").stream()
            .map(block -> block.replace("{ ... }", "{}"))
            .toList();
    List<String> imports = blocks.stream().filter(SpringPageTest::isImports).toList();
    assertEquals(1, imports.size(), "lists of imports");
    Map<String, String> code = new LinkedHashMap<>();
    for (String block : blocks) {
      if (!isImports(block)) {
        add(code, IMPORTS + imports.get(0), block);
      }
    }
    PageExamples.compile(dir, code, System.getProperty("java.class.path"));
  }

  private static boolean isImports(String block) {
    return block.startsWith("import ");
  }

  /** A type as it is; a method in a type; statements in a method of a type. */
  private static void add(Map<String, String> code, String imports, String block) {
    Matcher type = TYPE.matcher(block);
    if (type.find()) {
      code.put(type.group(1), imports + block);
      return;
    }
    String name = "Example" + code.size();
    String member =
        block.startsWith("@") ? block : "void example() throws Exception {\n" + block + "}";
    code.put(name, imports + MEMBERS.formatted(name, member));
  }

  /** Those of the starter; what Boot 4 has in other places has the same names. */
  private static Stream<Class<?>> ours() {
    List<Class<?>> types = new ArrayList<>();
    for (String name :
        ImportCandidates.load(AutoConfiguration.class, SpringPageTest.class.getClassLoader())) {
      if (name.startsWith("io.holdfast.lock.spring.boot.")) {
        try {
          types.add(Class.forName(name));
        } catch (ClassNotFoundException e) {
          throw new AssertionError(name, e);
        }
      }
    }
    return types.stream();
  }

  @Test
  void thePageOfPropertiesHasAllThatEditorsComplete() throws IOException {
    TreeMap<String, JsonNode> properties = new TreeMap<>();
    for (JsonNode property : metadata().get("properties")) {
      properties.put(property.get("name").asText(), property);
    }
    StringBuilder own = new StringBuilder();
    StringBuilder backend = new StringBuilder();
    StringBuilder scenario = new StringBuilder();
    properties.forEach(
        (name, property) -> {
          if (name.startsWith(SCENARIO)) {
            row(scenario, name.replace(SCENARIO, ""), property);
          } else if (name.startsWith(LIMIT)
              && !properties.containsKey(name.replace(LIMIT, SCENARIO))) {
            row(scenario, name.replace(LIMIT, ""), property);
          } else if (KnownKeys.BACKEND.contains(name.replace("holdfast.", ""))) {
            row(backend, name.replace("holdfast.", ""), property);
          } else if (!name.startsWith("holdfast.scenario") && !name.equals("holdfast.backend")) {
            row(own, name, property);
          }
        });
    String page = Files.readString(DOCS.resolve("spring-properties.md"));
    for (StringBuilder table : List.of(own, backend, scenario)) {
      assertTrue(
          page.contains("|---|---|---|\n" + table + "\n"),
          () -> "docs/spring-properties.md should have:\n" + table);
    }
  }

  private static JsonNode metadata() throws IOException {
    String file = "META-INF/spring-configuration-metadata.json";
    Path classes = Path.of("target", "classes");
    return new ObjectMapper().readTree(Files.readString(classes.resolve(file)));
  }

  private static void row(StringBuilder table, String name, JsonNode property) {
    JsonNode value = property.get("defaultValue");
    table.append(
        "| `%s` | %s | %s |\n"
            .formatted(
                name,
                property.get("description").asText(),
                value == null ? "" : "`" + value.asText() + "`"));
  }
}
