@NullMarked
package io.holdfast.lock.redlock;

import org.jspecify.annotations.NullMarked;
