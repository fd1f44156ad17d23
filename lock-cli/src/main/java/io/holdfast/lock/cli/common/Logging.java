/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.Map;
import org.slf4j.LoggerFactory;

/**
 * Warnings, on standard error. Found by Logback; a file of XML would take it as long to read as a
 * short command takes.
 */
public final class Logging extends ContextAwareBase implements Configurator {

  private static final Map<String, Level> QUIET =
      Map.of(
          // Their connections break because we break them, or because there is no server.
          "org.apache.curator", Level.OFF,
          "org.apache.zookeeper", Level.OFF,
          "io.lettuce", Level.ERROR,
          "org.testcontainers", Level.OFF);

  /** For {@link java.util.ServiceLoader}. */
  public Logging() {}

  /**
   * Silences all but one, for as long as this JVM lives.
   *
   * @param speaker who may still warn
   */
  public static void silenceAllBut(Class<?> speaker) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
      QUIET.keySet().forEach(name -> context.getLogger(name).setLevel(Level.OFF));
      context.getLogger(speaker).setLevel(Level.WARN);
    }
  }

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%d{HH:mm:ss.SSS} %-5level %logger{0} %msg%n");
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName("ERR");
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(appender);
    QUIET.forEach((name, level) -> context.getLogger(name).setLevel(level));
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
