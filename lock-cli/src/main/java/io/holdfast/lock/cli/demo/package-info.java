/**
 * A hand-over to watch: three processes want one lock; its holders are killed, suspended, and asked
 * to release it.
 *
 * <p>The {@link io.holdfast.lock.cli.demo.Worker}s use the public API only and report what they
 * believe, stamped with the monotonic clock that all processes of a machine share. The {@link
 * io.holdfast.lock.cli.demo.Demonstration} directs them, the {@link
 * io.holdfast.lock.cli.demo.DemoOutput} shows it, and the {@link
 * io.holdfast.lock.cli.demo.OverlapCheck} looks for what must not happen.
 */
@NullMarked
package io.holdfast.lock.cli.demo;

import org.jspecify.annotations.NullMarked;
