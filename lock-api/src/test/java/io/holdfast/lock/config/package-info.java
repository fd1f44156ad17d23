/** Tests of how configuration is read. */
@NullMarked
package io.holdfast.lock.config;

import org.jspecify.annotations.NullMarked;
