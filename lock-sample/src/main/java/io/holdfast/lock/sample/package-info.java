/** An application that uses locks, and knows no backend. */
@NullMarked
package io.holdfast.lock.sample;

import org.jspecify.annotations.NullMarked;
