/** Faulty variants of the real sources, each of which a rule has to catch. */
@NullMarked
package io.holdfast.lock.mutants;

import org.jspecify.annotations.NullMarked;
