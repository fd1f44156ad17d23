/** Commands that look at locks and their servers, and the one that takes a lock from its holder. */
@NullMarked
package io.holdfast.lock.cli.inspect;

import org.jspecify.annotations.NullMarked;
