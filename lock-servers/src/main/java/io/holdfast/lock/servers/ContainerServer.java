/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports.Binding;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A server in a container. Testcontainers creates and finally removes it; in between it is stopped
 * and started through Docker's own client, because Testcontainers would throw its data away.
 */
final class ContainerServer implements Server {

  private static final Logger LOG = LoggerFactory.getLogger(ContainerServer.class);
  private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
  private static final long PROBE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final int STOP_SECONDS = 10;

  private final Recipe recipe;
  private final int port;
  private GenericContainer<?> container;
  private boolean running;
  private boolean wiped;
  private boolean closed;

  private ContainerServer(Recipe recipe, int port, GenericContainer<?> container) {
    this.recipe = recipe;
    this.port = port;
    this.container = container;
  }

  static boolean isAvailable() {
    try {
      return DockerClientFactory.instance().isDockerAvailable();
    } catch (NoClassDefFoundError e) {
      LOG.debug("Testcontainers is not on the class path", e);
      return false;
    }
  }

  static ContainerServer start(Recipe recipe) {
    int port = Ports.free();
    ContainerServer server = new ContainerServer(recipe, port, create(recipe, port));
    try {
      server.launchNew();
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
    LOG.info("Started {}", server.describe());
    return server;
  }

  @Override
  public String host() {
    return Ports.LOOPBACK;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String describe() {
    return recipe.image() + ", container " + shortId() + ", " + host() + ":" + port;
  }

  @Override
  public void stop() {
    if (running) {
      docker().stopContainerCmd(container.getContainerId()).withTimeout(STOP_SECONDS).exec();
      running = false;
    }
  }

  @Override
  public void kill() {
    if (running) {
      docker().killContainerCmd(container.getContainerId()).exec();
      running = false;
    }
  }

  @Override
  public void start() {
    if (closed) {
      throw new IllegalStateException(recipe.image() + " is closed");
    }
    if (running) {
      return;
    }
    if (wiped) {
      container.stop();
      container = create(recipe, port);
      launchNew();
      wiped = false;
    } else {
      docker().startContainerCmd(container.getContainerId()).exec();
      running = true;
      awaitAnswer();
    }
  }

  @Override
  public void wipe() {
    if (running) {
      throw new IllegalStateException("Stop " + describe() + " before its data is removed");
    }
    wiped = true;
  }

  @Override
  public void suspend() {
    docker().pauseContainerCmd(container.getContainerId()).exec();
  }

  @Override
  public void resume() {
    docker().unpauseContainerCmd(container.getContainerId()).exec();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      container.stop();
    } catch (DockerException e) {
      LOG.warn("Could not remove {}", describe(), e);
    }
  }

  private static GenericContainer<?> create(Recipe recipe, int port) {
    PortBinding binding =
        new PortBinding(
            Binding.bindIpAndPort(Ports.LOOPBACK, port), new ExposedPort(recipe.innerPort()));
    GenericContainer<?> created = new GenericContainer<>(DockerImageName.parse(recipe.image()));
    created.withEnv(recipe.environment());
    if (!recipe.command().isEmpty()) {
      created.withCommand(recipe.command().toArray(String[]::new));
    }
    created.withExposedPorts(recipe.innerPort());
    created.withCreateContainerCmdModifier(
        command -> {
          HostConfig host = Objects.requireNonNullElseGet(command.getHostConfig(), HostConfig::new);
          command.withHostConfig(host.withPortBindings(binding));
        });
    return created;
  }

  private void launchNew() {
    container.start();
    running = true;
    awaitAnswer();
  }

  private void awaitAnswer() {
    long begin = System.nanoTime();
    while (!answers()) {
      if (System.nanoTime() - begin > START_TIMEOUT.toNanos()) {
        throw new IllegalStateException(
            describe() + " does not answer; its output:\n" + container.getLogs());
      }
      LockSupport.parkNanos(PROBE_PAUSE_NANOS);
    }
  }

  private boolean answers() {
    try {
      return recipe.probe().answers(host(), port);
    } catch (IOException e) {
      return false;
    }
  }

  private String shortId() {
    String id = container.getContainerId();
    return id == null ? "(none)" : id.substring(0, Math.min(12, id.length()));
  }

  private static DockerClient docker() {
    return DockerClientFactory.instance().client();
  }

  /** The image and the command to run in a container. */
  record Recipe(
      String image,
      int innerPort,
      List<String> command,
      Map<String, String> environment,
      LocalServer.Probe probe) {}
}
