/** Parts that the commands share: the choice of the backend, output, and exit codes. */
@NullMarked
package io.holdfast.lock.cli.common;

import org.jspecify.annotations.NullMarked;
