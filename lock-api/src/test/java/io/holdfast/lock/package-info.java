/** Tests of the values of the API. */
@NullMarked
package io.holdfast.lock;

import org.jspecify.annotations.NullMarked;
