/** Applications that use locks, and know no backend. */
@NullMarked
package io.holdfast.lock.sample;

import org.jspecify.annotations.NullMarked;
