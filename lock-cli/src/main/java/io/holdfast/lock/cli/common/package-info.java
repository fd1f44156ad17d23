/** What the commands share: which backend, how to show things, what exit codes mean. */
@NullMarked
package io.holdfast.lock.cli.common;

import org.jspecify.annotations.NullMarked;
