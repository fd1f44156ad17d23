/**
 * What several processes did with locks while faults happened, as files of text; a checker that
 * finds what must not have happened; and a picture of it.
 */
@NullMarked
package io.holdfast.lock.tck.history;

import org.jspecify.annotations.NullMarked;
