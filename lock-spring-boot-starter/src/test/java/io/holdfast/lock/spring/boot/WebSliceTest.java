/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spring.Locked;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A slice of the web layer, without locks and with locks in memory. */
class WebSliceTest {

  /** Its methods are locked. */
  @RestController
  public static class Desk {

    @GetMapping("/desk/{id}")
    @Locked(name = "desk", key = "#id", maxWait = "0s")
    public String ask(@PathVariable("id") String id) {
      return id;
    }
  }

  @SpringBootConfiguration
  @EnableAutoConfiguration
  @Import(Desk.class)
  static class Application {}

  private static int status(MockMvc web) throws Exception {
    return web.perform(MockMvcRequestBuilders.get("/desk/7")).andReturn().getResponse().getStatus();
  }

  /** The properties name a server that there is not. */
  @Nested
  @WebMvcTest(properties = "holdfast.url=redis://nowhere")
  @ContextConfiguration(classes = Application.class)
  class Plain {

    @Test
    void itNeedsNoLockServer(@Autowired MockMvc web, @Autowired ObjectProvider<LockClient> locks)
        throws Exception {
      assertEquals(200, status(web));
      assertTrue(locks.stream().toList().isEmpty());
    }
  }

  /** The same, and all locks are in memory. */
  @Nested
  @WebMvcTest(properties = {"holdfast.url=redis://nowhere", "holdfast.web.problem-details=true"})
  @AutoConfigureMemoryLocks
  @ContextConfiguration(classes = Application.class)
  class InMemory {

    @Test
    void aBusyLockIsAnswered(@Autowired MockMvc web, @Autowired MemoryServer server)
        throws Exception {
      assertEquals(200, status(web));
      try (LockClient another = server.open();
          Lease lease = another.lock("desk:7").acquire()) {
        assertEquals(409, status(web));
        lease.ensureValid();
      }
      assertEquals(200, status(web));
    }
  }
}
