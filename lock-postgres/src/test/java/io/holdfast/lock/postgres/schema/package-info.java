@NullMarked
package io.holdfast.lock.postgres.schema;

import org.jspecify.annotations.NullMarked;
