/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Optional;

/** Says why a server cannot be reached, whichever client tried. */
public final class Outage {

  private Outage() {}

  /**
   * The network's own reason, somewhere among the causes of a failure.
   *
   * @param failure of a client
   * @return such as {@code Connection refused: localhost/127.0.0.1:6379}, with host and port and
   *     nothing else of the address, or that the other side does not speak TLS; empty if it is none
   *     of the network's
   */
  public static Optional<String> reason(Throwable failure) {
    for (Throwable at : Failures.causes(failure)) {
      if (at instanceof UnknownHostException) {
        return Optional.of("unknown host: " + at.getMessage());
      }
      if (at instanceof ConnectException || at instanceof NoRouteToHostException) {
        return Optional.ofNullable(at.getMessage());
      }
      // Of Netty's, by name: not every client has it.
      if (at.getClass().getSimpleName().equals("NotSslRecordException")) {
        return Optional.of("the server there does not use TLS");
      }
    }
    return Optional.empty();
  }

  /**
   * The text for a port at which another kind of server answers.
   *
   * @param server the product that was expected
   * @return the sentence's end
   */
  public static String foreign(String server) {
    return "the server there is not " + server;
  }
}
