@NullMarked
package io.holdfast.lock.postgres;

import org.jspecify.annotations.NullMarked;
