/**
 * One Redis server: its connections, scripts and failures. For the backends that are built on it;
 * not for users.
 */
@NullMarked
package io.holdfast.lock.redis.node;

import org.jspecify.annotations.NullMarked;
