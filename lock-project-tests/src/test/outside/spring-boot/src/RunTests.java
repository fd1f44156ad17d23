import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.io.PrintWriter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs the tests of lock-spring and of the starter with the line of Spring Boot on the class path. */
public final class RunTests {

  private RunTests() {}

  public static void main(String[] args) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectPackage("io.holdfast.lock.spring"))
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    Launcher launcher = LauncherFactory.create();
    launcher.execute(request, listener);
    TestExecutionSummary summary = listener.getSummary();
    PrintWriter out = new PrintWriter(System.out, true);
    summary.printFailuresTo(out, 50);
    out.println(
        "tests: %d succeeded, %d did not, on Spring Boot %s"
            .formatted(
                summary.getTestsSucceededCount(),
                summary.getTotalFailureCount()
                    + summary.getTestsAbortedCount()
                    + summary.getTestsSkippedCount(),
                org.springframework.boot.SpringBootVersion.getVersion()));
    System.exit(0);
  }
}
