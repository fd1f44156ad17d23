@NullMarked
package io.holdfast.lock.mutants;

import org.jspecify.annotations.NullMarked;
