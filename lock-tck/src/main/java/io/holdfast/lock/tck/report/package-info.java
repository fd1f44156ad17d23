/** Reports of a run of the kit, as text, Markdown and HTML. */
@NullMarked
package io.holdfast.lock.tck.report;

import org.jspecify.annotations.NullMarked;
