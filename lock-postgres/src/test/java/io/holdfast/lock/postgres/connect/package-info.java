@NullMarked
package io.holdfast.lock.postgres.connect;

import org.jspecify.annotations.NullMarked;
