/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.Base16;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A Lua script that is called by its digest, and sent whole to a server that does not know it
 * (yet).
 */
final class Script {

  static final Script ACQUIRE = new Script("acquire.lua", ScriptOutputType.MULTI);
  static final Script RENEW = new Script("renew.lua", ScriptOutputType.MULTI);
  static final Script RELEASE = new Script("release.lua", ScriptOutputType.INTEGER);

  private final String text;
  private final String digest;
  private final ScriptOutputType output;

  private Script(String resource, ScriptOutputType output) {
    try (InputStream in = Script.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is missing from the jar");
      }
      byte[] bytes = in.readAllBytes();
      this.text = new String(bytes, StandardCharsets.UTF_8);
      this.digest = Base16.digest(bytes);
      this.output = output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  <T> CompletableFuture<T> call(
      RedisAsyncCommands<String, String> commands, String[] keys, String... args) {
    CompletableFuture<T> known =
        commands.<T>evalsha(digest, output, keys, args).toCompletableFuture();
    return known.exceptionallyCompose(
        failure ->
            isUnknown(failure)
                ? commands.<T>eval(text, output, keys, args).toCompletableFuture()
                : CompletableFuture.failedFuture(failure));
  }

  private static boolean isUnknown(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof RedisNoScriptException;
  }
}
