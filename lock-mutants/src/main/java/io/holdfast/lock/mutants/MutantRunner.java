/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.mutants;

import io.holdfast.lock.servers.Server;
import io.holdfast.lock.tck.Verdict;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Makes mutants and tries them: compiles the changed files against the class path of this JVM, puts
 * them before everything else in a class loader that loads the engine, the backend, the kit and the
 * fixture anew, and runs the rule there. For any number of threads.
 */
public final class MutantRunner implements AutoCloseable {

  private static final List<String> OPTIONS = List.of("-proc:none", "-implicit:none", "-nowarn");

  /**
   * The result of a rule.
   *
   * @param verdict of the kit
   * @param detail in the kit's words
   */
  public record Trial(Verdict verdict, String detail) {}

  private final Sources sources;
  private final Path directory;
  private final Optional<Server> shared;
  private final ReentrantLock lock = new ReentrantLock();
  private final JavaCompiler compiler;
  private final StandardJavaFileManager files;

  /**
   * Opens a workshop.
   *
   * @param modules has the modules with their sources
   * @param directory where the changed classes are put
   * @param shared for all fixtures, whose constructors take it; each has its own if there is none
   */
  public MutantRunner(Path modules, Path directory, Optional<Server> shared) {
    this.sources = new Sources(modules);
    this.directory = directory;
    this.shared = shared;
    this.compiler = ToolProvider.getSystemJavaCompiler();
    this.files = compiler.getStandardFileManager(null, null, null);
  }

  /**
   * Runs the mutant's rule against it.
   *
   * @param mutant which
   * @return what came of it
   * @throws IOException if files cannot be read or written
   * @throws IllegalArgumentException if the change does not fit the sources
   */
  public Trial run(Mutant mutant) throws IOException {
    Path changed = make(mutant);
    Thread thread = Thread.currentThread();
    ClassLoader usual = thread.getContextClassLoader();
    // Providers are looked up through it, and threads inherit it.
    try (MutantLoader loader = new MutantLoader(changed, home(mutant), usual)) {
      thread.setContextClassLoader(loader);
      return judge(mutant, loader);
    } finally {
      thread.setContextClassLoader(usual);
    }
  }

  private Trial judge(Mutant mutant, MutantLoader loader) {
    if (!mutant.isJudgedByRule()) {
      return TestInMutant.run(loader, home(mutant) + "." + mutant.judge());
    }
    String[] told = entry(loader).apply(new String[] {mutant.fixture(), mutant.judge()}, shared);
    return new Trial(Verdict.valueOf(told[0]), told[1]);
  }

  private static String home(Mutant mutant) {
    return mutant.fixture().substring(0, mutant.fixture().lastIndexOf('.'));
  }

  @SuppressWarnings("unchecked") // It is this very class, loaded anew.
  private static BiFunction<String[], Optional<Server>, String[]> entry(ClassLoader loader) {
    try {
      return (BiFunction<String[], Optional<Server>, String[]>)
          loader.loadClass(RuleInMutant.class.getName()).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private Path make(Mutant mutant) throws IOException {
    // The classes of an earlier run may be of another change.
    Path made = Files.createTempDirectory(Files.createDirectories(directory), mutant.name());
    List<JavaFileObject> toCompile = new ArrayList<>();
    for (Map.Entry<Path, String> file : sources.changed(mutant).entrySet()) {
      if (file.getKey().toString().endsWith(".java")) {
        toCompile.add(new Source(file.getKey(), file.getValue()));
      } else {
        Path copy = made.resolve(file.getKey());
        Files.createDirectories(copy.resolve("..").normalize());
        Files.writeString(copy, file.getValue());
      }
    }
    if (!toCompile.isEmpty()) {
      compile(mutant, toCompile, made);
    }
    return made;
  }

  private void compile(Mutant mutant, List<JavaFileObject> toCompile, Path made)
      throws IOException {
    StringWriter messages = new StringWriter();
    lock.lock();
    try {
      files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(made));
      if (!compiler.getTask(messages, files, null, OPTIONS, null, toCompile).call()) {
        throw new IllegalArgumentException(mutant.name() + " does not compile: " + messages);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    files.close();
  }

  private static final class Source extends SimpleJavaFileObject {

    private final String text;

    Source(Path path, String text) {
      super(URI.create("mutant:///" + path.toString().replace('\\', '/')), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
