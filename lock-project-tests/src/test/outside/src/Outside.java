import io.holdfast.lock.config.ScenarioLocks;
import io.holdfast.lock.config.Scenarios;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;

/** Holds a lock of each scenario that it is given, all at the same time, in one JVM. */
public final class Outside {

  private Outside() {}

  public static void main(String[] args) throws Exception {
    try (Scenarios scenarios = Scenarios.open()) {
      hold(scenarios, List.of(args).iterator());
    }
  }

  private static void hold(Scenarios scenarios, Iterator<String> rest) throws Exception {
    if (!rest.hasNext()) {
      System.out.println("all held, with Netty " + nettyVersions());
      return;
    }
    ScenarioLocks locks = scenarios.forScenario(rest.next());
    locks
        .lock("outside")
        .run(
            lease -> {
              System.out.printf(
                  "%s holds with token %d%n", locks.scenario().provider(), lease.fencingToken());
              hold(scenarios, rest);
              lease.ensureValid();
            });
  }

  /** As Netty itself says for each of its jars; it is on the class path at run time only. */
  private static Object nettyVersions() throws Exception {
    var all =
        (java.util.Map<?, ?>)
            Class.forName("io.netty.util.Version").getMethod("identify").invoke(null);
    var versions = new TreeSet<String>();
    for (Object version : all.values()) {
      versions.add((String) version.getClass().getMethod("artifactVersion").invoke(version));
    }
    return versions;
  }
}
