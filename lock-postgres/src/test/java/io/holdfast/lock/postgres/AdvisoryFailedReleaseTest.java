/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Share;
import io.holdfast.lock.postgres.advisory.AdvisoryBackend;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.Settings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A release of a share that fails when the server has carried it out. */
class AdvisoryFailedReleaseTest extends AdvisoryShareScene {

  @Test
  void aReleaseThatFailsAfterwardsFreesNoOtherReader() {
    FailingReleases connections = new FailingReleases(scene.server.url());
    Settings settings = new Settings(AdvisoryLockProvider.NAME, Map.of("create-schema", "true"));
    LockBackend<?> one =
        scene.closing(
            AdvisoryBackend.open(
                PostgresConfig.of(settings, connections, AdvisoryBackend.COMMAND_TIMEOUT)));
    LockClaim first = claim(one, "rw", Share.READ);
    assertTrue(isGranted(first));
    connections.failNext();
    assertEquals(ReleaseAnswer.FREED, get(first.release()));
    assertTrue(connections.haveFailed());
    assertEquals(List.of(), locks());
    LockClaim second = claim(one, "rw", Share.READ);
    assertTrue(isGranted(second));
    assertEquals(ReleaseAnswer.FREED, get(first.release()), "asked again");
    assertEquals(ONE_READER, locks());
    assertFalse(isGranted(trying(backend(), "rw", Share.WRITE)));
    assertEquals(ReleaseAnswer.FREED, get(second.release()));
    assertEquals(List.of(), locks());
  }

  /** Connections on which a release is carried out and then fails, if told so. */
  private static final class FailingReleases extends PGSimpleDataSource {

    private static final long serialVersionUID = 1;

    /** How its statement begins. */
    private static final String RELEASE = "WITH given AS";

    private final transient AtomicBoolean fails = new AtomicBoolean();

    FailingReleases(String url) {
      setUrl(url);
      setUser(PostgresServer.USER);
    }

    void failNext() {
      fails.set(true);
    }

    boolean haveFailed() {
      return !fails.get();
    }

    @Override
    public Connection getConnection() throws SQLException {
      Connection real = super.getConnection();
      return (Connection)
          Proxy.newProxyInstance(
              FailingReleases.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) -> {
                Object made = call(real, method, arguments);
                return made instanceof PreparedStatement statement
                        && String.valueOf(arguments[0]).startsWith(RELEASE)
                    ? failing(statement)
                    : made;
              });
    }

    private PreparedStatement failing(PreparedStatement real) {
      return (PreparedStatement)
          Proxy.newProxyInstance(
              FailingReleases.class.getClassLoader(),
              new Class<?>[] {PreparedStatement.class},
              (proxy, method, arguments) -> {
                Object answer = call(real, method, arguments);
                if (method.getName().equals("executeQuery") && fails.getAndSet(false)) {
                  throw new SQLException("canceling statement due to user request", "57014");
                }
                return answer;
              });
    }

    private static @Nullable Object call(Object real, Method method, Object @Nullable [] arguments)
        throws Throwable {
      try {
        return method.invoke(real, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause() == null ? e : e.getCause();
      }
    }
  }
}
