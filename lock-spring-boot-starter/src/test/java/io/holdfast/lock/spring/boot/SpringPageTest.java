/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.spring.Locked;
import io.holdfast.lock.spring.LockedConfiguration;
import io.holdfast.lock.testsupport.PageExamples;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.core.type.MethodMetadata;
import org.springframework.core.type.classreading.SimpleMetadataReaderFactory;
import org.springframework.util.ClassUtils;

/** The pages name every bean that users may ask for, and every property; their Java compiles. */
class SpringPageTest {

  /**
   * Given by {@code SpringBootLinesTest} of {@code lock-project-tests}, which runs this elsewhere.
   */
  private static final Path DOCS =
      Path.of(System.getProperty("holdfast.docs", Path.of("..", "docs").toString()));

  private static final String METADATA = "META-INF/spring-configuration-metadata.json";
  private static final Pattern BEAN = Pattern.compile("(?m)^\\| `(\\w+)` \\| `(\\w+)` \\|");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");
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
    for (String type : configurations()) {
      for (MethodMetadata method :
          new SimpleMetadataReaderFactory()
              .getMetadataReader(type)
              .getAnnotationMetadata()
              .getAnnotatedMethods(Bean.class.getName())) {
        if (!method.getMethodName().startsWith("holdfast")) {
          beans.add(
              method.getMethodName() + " " + ClassUtils.getShortName(method.getReturnTypeName()));
        }
      }
    }
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
  void thePageListsTheAttributesOfLocked() throws IOException {
    String page = Files.readString(DOCS.resolve("spring.md"));
    int from = page.indexOf("\n## `@Locked`\n");
    String table = page.substring(from, page.indexOf("\n- ", from));
    TreeSet<String> listed =
        table
            .lines()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.substring(0, line.indexOf(" | ")))
            .flatMap(names -> NAME.matcher(names).results())
            .map(name -> name.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    TreeSet<String> attributes = new TreeSet<>();
    for (Method attribute : Locked.class.getDeclaredMethods()) {
      attributes.add(attribute.getName());
    }
    assertEquals(attributes, listed);
  }

  /** Not loaded: some are for one line of Spring Boot, and cannot be with another one. */
  private static List<String> configurations() {
    List<String> types =
        new ArrayList<>(
            List.of(
                LockedConfiguration.class.getName(),
                AutoConfigureMemoryLocks.MemoryLocks.class.getName()));
    for (String name :
        ImportCandidates.load(AutoConfiguration.class, SpringPageTest.class.getClassLoader())) {
      if (name.startsWith("io.holdfast.lock.spring.boot")) {
        types.add(name);
      }
    }
    return types;
  }

  @Test
  void itsJavaCompilesWithItsImports() throws IOException {
    List<String> blocks =
        PageExamples.blocks(DOCS.resolve("spring.md"), "java").stream()
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

  @Test
  void thePageOfPropertiesHasAllThatEditorsComplete() throws IOException {
    Map<String, Map<?, ?>> properties = properties();
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

  /** By their names. The starter comes before others that have metadata on the class path. */
  private static Map<String, Map<?, ?>> properties() throws IOException {
    String metadata;
    try (InputStream in = SpringPageTest.class.getClassLoader().getResourceAsStream(METADATA)) {
      metadata = in == null ? "" : new String(in.readAllBytes(), UTF_8);
    }
    Map<String, Map<?, ?>> properties = new TreeMap<>();
    List<?> all =
        assertInstanceOf(
            List.class, JsonParserFactory.getJsonParser().parseMap(metadata).get("properties"));
    for (Object one : all) {
      Map<?, ?> property = assertInstanceOf(Map.class, one);
      properties.put(String.valueOf(property.get("name")), property);
    }
    return properties;
  }

  private static void row(StringBuilder table, String name, Map<?, ?> property) {
    Object value = property.get("defaultValue");
    table.append(
        "| `%s` | %s | %s |\n"
            .formatted(name, property.get("description"), value == null ? "" : "`" + value + "`"));
  }
}
