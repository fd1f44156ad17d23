/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.config.BackendOpener;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimiter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

/**
 * Opens backends that have no address over beans of the application. A bean is looked for once for
 * each backend, so that no thread that only connects has to ask Spring for it.
 */
final class ApplicationConnections implements BackendOpener {

  private final ListableBeanFactory beans;
  private final Map<String, String> named;
  private final Map<Place, Optional<Ready>> found = new ConcurrentHashMap<>();
  private final ClassLoader loader;

  /**
   * Looks at no bean yet.
   *
   * @param beans of the application
   * @param named the names of the beans, by backend, where they are configured
   */
  ApplicationConnections(ListableBeanFactory beans, Map<String, String> named) {
    this.beans = beans;
    this.named = Map.copyOf(named);
    ClassLoader usual = ClassUtils.getDefaultClassLoader();
    this.loader = usual == null ? ClassLoader.getSystemClassLoader() : usual;
  }

  /** The provider of the only kind of connection that the application has. */
  Optional<String> provider() {
    List<ConnectionKind> kinds =
        Arrays.stream(ConnectionKind.values()).filter(kind -> !names(kind).isEmpty()).toList();
    if (kinds.size() > 1) {
      throw new LockConfigurationException(
          "Locks could be had over more than one connection of this application: %s. Say which: set 'holdfast.provider', or 'holdfast.url' to give the locks connections of their own"
              .formatted(kinds.stream().map(this::choice).collect(Collectors.joining(", or "))));
    }
    return kinds.stream().map(kind -> kind.providers().get(0)).findFirst();
  }

  private String choice(ConnectionKind kind) {
    return "%s (bean %s)".formatted(String.join(", ", kind.providers()), names(kind));
  }

  /** Whether there is a server in memory, which goes before everything that is configured. */
  boolean inMemory() {
    return !names(ConnectionKind.MEMORY).isEmpty();
  }

  private List<String> names(ConnectionKind kind) {
    List<String> names = new ArrayList<>();
    kind.type(loader)
        .ifPresent(
            type ->
                names.addAll(
                    List.of(
                        BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                            beans, type, true, false))));
    return names;
  }

  @Override
  public Optional<LockClient> open(
      String backend, String provider, Map<String, String> settings, ClientOptions options) {
    return find(backend, provider, settings)
        .map(ready -> ready.kind.connection().open(ready.bean, provider, settings, options));
  }

  @Override
  public Optional<RateLimiter> openLimiter(
      String backend,
      String provider,
      Map<String, String> settings,
      RateLimit limit,
      ClientOptions options) {
    return find(backend, provider, settings)
        .flatMap(
            ready -> ready.kind.connection().openLimiter(ready.bean, settings, limit, options));
  }

  /** A backend may have more than one provider. */
  private record Place(String backend, String provider) {}

  /**
   * A bean to open a backend over.
   *
   * @param kind of the bean
   * @param bean that is there
   */
  record Ready(ConnectionKind kind, Object bean) {}

  /** The bean for a backend; empty if it has an address, or if there is none. */
  Optional<Ready> find(String backend, String provider, Map<String, String> settings) {
    Place place = new Place(backend, provider);
    Optional<Ready> known = found.get(place);
    if (known == null) {
      known = connection(backend, provider, settings);
      found.put(place, known);
    }
    return known;
  }

  private Optional<Ready> connection(
      String backend, String provider, Map<String, String> settings) {
    ConnectionKind kind = ConnectionKind.of(provider).orElse(null);
    String name = named.get(backend);
    if (kind == null || settings.containsKey(kind.address())) {
      refuseName(name, backend, provider, kind);
      return Optional.empty();
    }
    Class<?> type = kind.type(loader).orElse(null);
    if (type == null) {
      return Optional.empty();
    }
    Object bean = name == null ? only(backend, kind, type) : bean(backend, name, type);
    return Optional.ofNullable(bean).map(found -> new Ready(kind, found));
  }

  private static void refuseName(
      @Nullable String name, String backend, String provider, @Nullable ConnectionKind kind) {
    if (name != null) {
      throw new LockConfigurationException(
          "'holdfast.backend.%s.bean' is '%s', but %s. Keep one of them"
              .formatted(
                  backend,
                  name,
                  kind == null
                      ? "provider '" + provider + "' does not use connections of an application"
                      : "its '" + kind.address() + "' is set as well"));
    }
  }

  private Object bean(String backend, String name, Class<?> type) {
    if (!beans.containsBean(name) || !beans.isTypeMatch(name, type)) {
      throw new LockConfigurationException(
          "'holdfast.backend.%s.bean' is '%s', but there is no bean of that name and of type %s; there are %s"
              .formatted(
                  backend,
                  name,
                  type.getName(),
                  List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type))));
    }
    return beans.getBean(name);
  }

  private @Nullable Object only(String backend, ConnectionKind kind, Class<?> type) {
    ObjectProvider<?> provider = beans.getBeanProvider(type);
    Object unique = provider.getIfUnique();
    if (unique != null) {
      return unique;
    }
    List<String> names = names(kind);
    if (names.size() > 1) {
      throw new LockConfigurationException(
          "Backend '%s' could be had over one of the beans %s. Say which: set 'holdfast.backend.%s.bean', or make one of them primary"
              .formatted(backend, names, backend));
    }
    return null;
  }
}
