@NullMarked
package io.holdfast.lock.postgres.row;

import org.jspecify.annotations.NullMarked;
