@NullMarked
package io.holdfast.lock.postgres.transaction;

import org.jspecify.annotations.NullMarked;
