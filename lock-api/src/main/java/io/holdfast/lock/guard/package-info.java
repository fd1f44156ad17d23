/**
 * The other side of a fencing token: checks at the resource that a lock protects, which refuse the
 * writes of a holder that has lost its lock and does not know. The rule is the same everywhere: the
 * resource remembers the greatest token that it has seen, together with what it protects, and
 * refuses smaller ones; the same one again is good.
 *
 * <p>Tokens of one lock name at one backend can be compared, and no others.
 */
@NullMarked
package io.holdfast.lock.guard;

import org.jspecify.annotations.NullMarked;
