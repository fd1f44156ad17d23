/**
 * Locks by a quorum of independent Redis servers (Redlock), with fencing tokens that the quorum
 * keeps.
 */
@NullMarked
package io.holdfast.lock.redlock;

import org.jspecify.annotations.NullMarked;
