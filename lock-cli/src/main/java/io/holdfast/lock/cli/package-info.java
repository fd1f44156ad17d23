/** The {@code holdfast} command. */
@NullMarked
package io.holdfast.lock.cli;

import org.jspecify.annotations.NullMarked;
