/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.spring.Locked.Busy;
import io.holdfast.lock.spring.LockedMethod.Kind;
import io.holdfast.lock.text.TimeText;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Reads the annotations, and refuses those that cannot work, with what to do about it. */
final class LockedMethods {

  private static final Pattern VARIABLE = Pattern.compile("#(\\w+)");
  private static final Pattern BY_PLACE = Pattern.compile("(root|this|[ap]\\d+)");
  private static final Pattern LITERAL = Pattern.compile("'(?:[^']|'')*'|\"[^\"]*\"");

  private final SpelExpressionParser parser = new SpelExpressionParser();
  private final ParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();
  private final Map<Method, LockedMethod> known = new ConcurrentHashMap<>();
  private final BeanFactory beans;

  LockedMethods(BeanFactory beans) {
    this.beans = beans;
  }

  /** Whether a method that Spring can intercept is annotated, itself or in a supertype. */
  boolean isLocked(Method method, @Nullable Class<?> target) {
    Method specific = AopUtils.getMostSpecificMethod(method, target);
    return !isBodyOfSuspending(specific)
        && AnnotatedElementUtils.hasAnnotation(specific, Locked.class);
  }

  /** Kotlin keeps that of an open function in a static method, which may be annotated alike. */
  private static boolean isBodyOfSuspending(Method method) {
    return method.isSynthetic() && Modifier.isStatic(method.getModifiers());
  }

  /** A method that is annotated. */
  LockedMethod get(Method method, @Nullable Class<?> target) {
    return known.computeIfAbsent(AopUtils.getMostSpecificMethod(method, target), this::read);
  }

  /** Refuses what the scenarios and backends of the methods that were read so far cannot do. */
  void check(LockSource source) {
    for (LockedMethod locked : known.values()) {
      source.check(locked.scenario());
      if (locked.share().isShared() || locked.ttl().isPresent() || locked.minHold().isPresent()) {
        try {
          locked.views(source, "start-up");
        } catch (IllegalArgumentException | LockConfigurationException e) {
          throw LockedMethod.bad(
              locked.method(), "cannot be kept: " + e.getMessage() + locked.share().hint());
        }
      }
    }
  }

  /** Whether there is anything to check. */
  boolean isEmpty() {
    return known.isEmpty();
  }

  private LockedMethod read(Method method) {
    Locked locked = AnnotatedElementUtils.findMergedAnnotation(method, Locked.class);
    if (locked == null) {
      throw new IllegalArgumentException("not annotated: " + method);
    }
    refuseWhatIsNotIntercepted(method);
    String name = resolve(locked.name());
    Optional<Expression> key = key(method, locked.key());
    if (name.isEmpty() && key.isEmpty()) {
      throw LockedMethod.bad(method, "names no lock: set 'name', 'key' or both");
    }
    boolean skips = locked.busy() == Busy.SKIP;
    Kind kind = kind(method);
    if (skips && kind == Kind.BLOCKING && returnsAPrimitive(method)) {
      throw LockedMethod.bad(
          method,
          "has busy = SKIP, but returns %s, which cannot say that nothing was done: return void, Optional or an object"
              .formatted(method.getReturnType()));
    }
    return new LockedMethod(
        method,
        name,
        key,
        resolve(locked.scenario()),
        RequestedShare.read(method, locked),
        time(method, "maxWait", locked.maxWait(), true).or(() -> ifSkips(skips)),
        time(method, "ttl", locked.ttl(), false),
        time(method, "minHold", locked.minHold(), true),
        skips,
        kind,
        places(method, place -> method.getParameterTypes()[place] == Lease.class),
        tokens(method));
  }

  private static Optional<Duration> ifSkips(boolean skips) {
    return skips ? Optional.of(Duration.ZERO) : Optional.empty();
  }

  private static boolean returnsAPrimitive(Method method) {
    return method.getReturnType().isPrimitive() && method.getReturnType() != void.class;
  }

  private static void refuseWhatIsNotIntercepted(Method method) {
    for (int bad : new int[] {Modifier.PRIVATE, Modifier.STATIC, Modifier.FINAL}) {
      if ((method.getModifiers() & bad) != 0) {
        throw LockedMethod.bad(
            method,
            "would take no lock, as the method is %s and Spring's proxy cannot intercept it"
                .formatted(Modifier.toString(bad)));
      }
    }
  }

  private static Kind kind(Method method) {
    Class<?> type = method.getReturnType();
    if (KotlinDetector.isSuspendingFunction(method)) {
      return reactive(method);
    }
    if (CompletionStage.class.isAssignableFrom(type)) {
      if (!type.isAssignableFrom(java.util.concurrent.CompletableFuture.class)) {
        throw LockedMethod.bad(
            method, "must return CompletableFuture or CompletionStage, and not " + type.getName());
      }
      return Kind.STAGE;
    }
    if (java.util.concurrent.Future.class.isAssignableFrom(type)) {
      throw LockedMethod.bad(
          method,
          "returns a Future that does not say when it is done: return CompletableFuture instead");
    }
    return LockedInterceptor.REACTOR
            && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null
        ? reactive(method)
        : Kind.BLOCKING;
  }

  private static Kind reactive(Method method) {
    if (!LockedInterceptor.REACTOR) {
      throw LockedMethod.bad(
          method, "needs Reactor on the class path (with Kotlin, kotlinx-coroutines-reactor)");
    }
    return Kind.REACTIVE;
  }

  private Optional<Expression> key(Method method, String text) {
    if (text.isBlank()) {
      return Optional.empty();
    }
    try {
      Expression key = parser.parseExpression(text);
      refuseUnknownParameters(method, text);
      return Optional.of(key);
    } catch (ParseException e) {
      throw new LockConfigurationException(
          "The key '%s' of @Locked on %s is no expression of Spring: %s"
              .formatted(text, LockedMethod.place(method), e.getMessage()),
          e);
    }
  }

  private void refuseUnknownParameters(Method method, String key) {
    @Nullable String[] found = names.getParameterNames(method);
    Set<String> parameters = new TreeSet<>(Arrays.asList(found == null ? new String[0] : found));
    Matcher variables = VARIABLE.matcher(LITERAL.matcher(key).replaceAll("''"));
    while (variables.find()) {
      String variable = variables.group(1);
      if (!BY_PLACE.matcher(variable).matches() && !parameters.contains(variable)) {
        throw LockedMethod.bad(
            method,
            found == null
                ? "has the key '%s', but the names of the parameters are not known: compile with -parameters, or write #p0 for the first"
                    .formatted(key)
                : "has the key '%s', but there is no parameter '%s'; there are %s"
                    .formatted(key, variable, parameters));
      }
    }
  }

  private Optional<Duration> time(Method method, String what, String text, boolean mayBeZero) {
    String resolved = resolve(text).strip();
    if (resolved.isEmpty()) {
      return Optional.empty();
    }
    if (mayBeZero && resolved.matches("0+(ms|s|m|h|d)?")) {
      return Optional.of(Duration.ZERO);
    }
    try {
      Duration time = TimeText.parse(resolved);
      return Optional.of(mayBeZero ? time : LockOptions.checkTtl(time));
    } catch (IllegalArgumentException e) {
      throw LockedMethod.bad(
          method,
          "has %s = '%s', which must be a duration such as 500ms, 5s or 2m%s"
              .formatted(what, resolved, e.getMessage() == null ? "" : ": " + e.getMessage()));
    }
  }

  private static List<Integer> tokens(Method method) {
    Parameter[] parameters = method.getParameters();
    List<Integer> tokens =
        places(method, place -> parameters[place].isAnnotationPresent(FencingToken.class));
    for (int place : tokens) {
      Class<?> type = parameters[place].getType();
      if (type != long.class && type != Long.class) {
        throw LockedMethod.bad(
            method, "has a @FencingToken of type %s, which must be long".formatted(type.getName()));
      }
    }
    return tokens;
  }

  private static List<Integer> places(Method method, IntPredicate wanted) {
    return IntStream.range(0, method.getParameterCount()).filter(wanted).boxed().toList();
  }

  private String resolve(String text) {
    return beans instanceof ConfigurableBeanFactory factory
        ? String.valueOf(factory.resolveEmbeddedValue(text))
        : text;
  }

  /** The lock of one call. */
  String lockName(LockedMethod locked, @Nullable Object target, @Nullable Object[] arguments) {
    return locked.lockName(
        locked.key().map(key -> evaluate(key, locked, target, arguments)).orElse(null));
  }

  private @Nullable Object evaluate(
      Expression key, LockedMethod locked, @Nullable Object target, @Nullable Object[] arguments) {
    MethodBasedEvaluationContext context =
        new MethodBasedEvaluationContext(
            target == null ? locked.method() : target, locked.method(), arguments, names);
    context.setBeanResolver(new BeanFactoryResolver(beans));
    return key.getValue(context);
  }
}
