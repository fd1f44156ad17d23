@NullMarked
package io.holdfast.lock.tck.order;

import org.jspecify.annotations.NullMarked;
