/** Tests of the project as a whole: its modules together, its pages, and its samples. */
@NullMarked
package io.holdfast.lock.project;

import org.jspecify.annotations.NullMarked;
