@NullMarked
package io.holdfast.lock.tck.report;

import org.jspecify.annotations.NullMarked;
