/** How limits are read and kept on any backend. Not exported. */
@NullMarked
package io.holdfast.lock.limit.engine;

import org.jspecify.annotations.NullMarked;
