@NullMarked
package io.holdfast.lock.postgres.session;

import org.jspecify.annotations.NullMarked;
