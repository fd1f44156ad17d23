/**
 * The conformance kit. A backend adopts it with a {@link io.holdfast.lock.tck.Fixture} and a class
 * that extends {@link io.holdfast.lock.tck.LockConformanceTest}. The rules are in {@code SPEC.md}.
 */
@NullMarked
package io.holdfast.lock.tck;

import org.jspecify.annotations.NullMarked;
