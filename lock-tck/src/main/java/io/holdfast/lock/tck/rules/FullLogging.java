/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import java.io.PrintStream;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Logs to standard output: all that Holdfast logs, at each level, and what client libraries log at
 * the levels that {@code docs/security.md} lets through. A JVM that is started with {@link #OPTION}
 * logs so, whatever else is on its class path.
 */
public final class FullLogging implements SLF4JServiceProvider {

  /** For the command line of a JVM. */
  public static final String OPTION = "-Dslf4j.provider=" + FullLogging.class.getName();

  /** The loggers that write secrets below these levels. */
  public static final Map<String, Level> KEPT_AT =
      Map.of(
          "io.lettuce.core", Level.DEBUG,
          "io.grpc.netty", Level.INFO,
          "com.zaxxer.hikari", Level.INFO,
          "org.apache.zookeeper", Level.INFO,
          "io.netty", Level.INFO);

  private final ILoggerFactory loggers = Printer::new;
  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new NOPMDCAdapter();

  /** For SLF4J. */
  public FullLogging() {}

  /** Has what is logged by {@code java.util.logging} written there, too. */
  public static void captureJavaLogging() {
    java.util.logging.Logger root = java.util.logging.Logger.getLogger("");
    for (Handler handler : root.getHandlers()) {
      root.removeHandler(handler);
    }
    root.addHandler(new JavaPrinter(System.out));
    root.setLevel(java.util.logging.Level.FINE);
  }

  static boolean shows(String logger, Level level) {
    Level least =
        logger.startsWith("io.holdfast.")
            ? Level.TRACE
            : KEPT_AT.entrySet().stream()
                .filter(one -> logger.startsWith(one.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(Level.DEBUG);
    return level.toInt() >= least.toInt();
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return loggers;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  @Override
  public void initialize() {
    // There is nothing to be found or read.
  }

  private static final class Printer extends LegacyAbstractLogger {

    private static final long serialVersionUID = 1;

    Printer(String name) {
      this.name = name;
    }

    @Override
    public boolean isTraceEnabled() {
      return shows(name, Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
      return shows(name, Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
      return shows(name, Level.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
      return true;
    }

    @Override
    public boolean isErrorEnabled() {
      return true;
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
      return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level,
        @Nullable Marker marker,
        String pattern,
        Object @Nullable [] arguments,
        @Nullable Throwable failure) {
      String text = MessageFormatter.basicArrayFormat(pattern, arguments);
      System.out.println(level + " " + name + " " + text);
      if (failure != null) {
        failure.printStackTrace(System.out);
      }
    }
  }

  private static final class JavaPrinter extends Handler {

    private final PrintStream out;

    JavaPrinter(PrintStream out) {
      this.out = out;
      setFormatter(new SimpleFormatter());
    }

    @Override
    public void publish(LogRecord logged) {
      String logger = String.valueOf(logged.getLoggerName());
      boolean isInfo = logged.getLevel().intValue() >= java.util.logging.Level.INFO.intValue();
      if (shows(logger, isInfo ? Level.INFO : Level.DEBUG)) {
        out.println(getFormatter().format(logged));
      }
    }

    @Override
    public void flush() {
      out.flush();
    }

    @Override
    public void close() {
      // The stream is the JVM's.
    }
  }
}
