/** {@code holdfast conformance}: the rules, against servers that somebody already has. */
@NullMarked
package io.holdfast.lock.cli.conformance;

import org.jspecify.annotations.NullMarked;
