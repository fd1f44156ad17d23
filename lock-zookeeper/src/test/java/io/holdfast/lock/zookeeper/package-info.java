/** Tests of the ZooKeeper backend against real servers. */
@NullMarked
package io.holdfast.lock.zookeeper;

import org.jspecify.annotations.NullMarked;
