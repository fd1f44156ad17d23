/**
 * Locks by what they are for: {@link io.holdfast.lock.config.LockConfig} reads backends and
 * scenarios from a file, the environment, system properties or a map; a {@link
 * io.holdfast.lock.config.Preset} has the terms of a usual scenario and the {@link
 * io.holdfast.lock.config.Demand}s that it makes of a backend; {@link
 * io.holdfast.lock.config.Scenarios} opens what is asked for.
 */
@NullMarked
package io.holdfast.lock.config;

import org.jspecify.annotations.NullMarked;
