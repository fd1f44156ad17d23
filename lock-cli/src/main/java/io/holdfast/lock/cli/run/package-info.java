/** A command that runs while a lock is held, and ends with it. */
@NullMarked
package io.holdfast.lock.cli.run;

import org.jspecify.annotations.NullMarked;
