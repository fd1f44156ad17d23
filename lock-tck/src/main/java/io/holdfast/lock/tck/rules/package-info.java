/** The rules of {@code SPEC.md}, one class for each group. */
@NullMarked
package io.holdfast.lock.tck.rules;

import org.jspecify.annotations.NullMarked;
