/**
 * The engine, not exported: waiting, validity, renewal, loss, the local queue, clean-up and events.
 * It lives once; a backend only supplies what its server does differently.
 */
@NullMarked
package io.holdfast.lock.engine;

import org.jspecify.annotations.NullMarked;
