/**
 * The history of locks in several processes while faults happened, as files of text; a checker that
 * finds what must not have happened; and a picture of it.
 */
@NullMarked
package io.holdfast.lock.tck.history;

import org.jspecify.annotations.NullMarked;
