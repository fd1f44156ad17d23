@NullMarked
package io.holdfast.lock.postgres.advisory;

import org.jspecify.annotations.NullMarked;
