@NullMarked
package io.holdfast.lock.tck.history;

import org.jspecify.annotations.NullMarked;
