/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import static io.holdfast.lock.tck.rules.Semaphores.CAPACITY;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.JavaReadWriteLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Share;
import java.util.List;
import java.util.Optional;

/** SH, PM: the forms in which readers, writers and permits can be asked for. */
public final class ShareFormRules {

  /** Is added to the names of a view. */
  private static final String PART = "part";

  @Rule(value = "SH-14", lookAt = Rule.ENGINE)
  public void everyFormOfALockIsOneOfReadersAndWriters(RuleContext context)
      throws InterruptedException {
    LockClient client = context.client();
    LockClient elsewhere = context.client();
    DistributedReadWriteLock lock = SharingRules.lock(context, client, context.options());
    Sides sides =
        Sides.of(context, client, SharingRules.lock(context, elsewhere, context.options()));
    sides.reader.tryAll(lock.readLock());
    sides.writer.tryAll(lock.writeLock());

    LockOptions options = context.longTtl();
    sides.areGranted("no options", client.readWriteLock(context.name()));
    sides.areGranted("other options", lock.with(options));
    sides.reader.isGranted("other options of a side", lock.readLock().with(options));
    sides.writer.isGranted("other options of a side", lock.writeLock().with(options));
    for (DistributedReadWriteLock other :
        List.of(lock.with(options), client.readWriteLock(context.name(), options))) {
      context.checkEquals(options, other.readLock().options(), "the options of a reader");
      context.checkEquals(options, other.writeLock().options(), "the options of a writer");
    }
    JavaReadWriteLock java = lock.asJavaReadWriteLock();
    context.checkEquals(lock.readLock().asJavaLock(), java.readLock(), "the Java view of readers");
    context.checkEquals(lock.writeLock().asJavaLock(), java.writeLock(), "that of a writer");

    LockClient part = client.within(context.name());
    Sides within =
        Sides.of(context, client, elsewhere.readWriteLock(context.name() + ":" + PART, options));
    within.areGranted("a prefix", part.readWriteLock(PART));
    within.areGranted("a prefix and options", part.readWriteLock(PART, options));
  }

  /** The trials of readers, and those of a writer, of one name. */
  private record Sides(FormTrials reader, FormTrials writer) {

    static Sides of(RuleContext context, LockClient client, DistributedReadWriteLock other) {
      List<String> names = List.of(other.name());
      return new Sides(
          new FormTrials(
              context, client, names, Share.READ, other.writeLock(), Optional.of(other.readLock())),
          new FormTrials(context, client, names, Share.WRITE, other.readLock(), Optional.empty()));
    }

    void areGranted(String view, DistributedReadWriteLock lock) throws InterruptedException {
      reader.isGranted(view, lock.readLock());
      writer.isGranted(view, lock.writeLock());
    }
  }

  @Rule(value = "PM-10", lookAt = Rule.ENGINE)
  public void everyFormOfALockIsOneOfPermits(RuleContext context) throws InterruptedException {
    LockClient client = context.client(ClientOptions.defaults().withPermits(CAPACITY));
    DistributedSemaphore semaphore = Semaphores.of(context, client);
    FormTrials trials = trials(context, client, Semaphores.of(context, context.client()));
    trials.tryAll(semaphore.permits(CAPACITY - 1));

    LockOptions options = context.longTtl();
    trials.isGranted("other options", semaphore.with(options).permits(CAPACITY - 1));
    trials.isGranted("other options of permits", semaphore.permits(CAPACITY - 1).with(options));
    trials.isGranted(
        "no options", client.semaphore(context.name(), CAPACITY).permits(CAPACITY - 1));
    trials.isGranted(
        "the client's permits", client.semaphore(context.name()).permits(CAPACITY - 1));
    context.checkEquals(
        options, semaphore.with(options).permit().options(), "the options of permits");
    context.checkEquals(semaphore.permits(1).share(), semaphore.permit().share(), "one permit");

    String name = context.name() + ":" + PART;
    LockClient part = client.within(context.name());
    FormTrials within =
        trials(context, client, context.client().semaphore(name, CAPACITY, options));
    for (DistributedSemaphore view :
        List.of(
            part.semaphore(PART),
            part.semaphore(PART, CAPACITY),
            part.semaphore(PART, CAPACITY, options))) {
      within.isGranted("a prefix", view.permits(CAPACITY - 1));
    }
  }

  /** Of all permits but one, so that another client has room for one and not for two. */
  private static FormTrials trials(
      RuleContext context, LockClient client, DistributedSemaphore other) {
    return new FormTrials(
        context,
        client,
        List.of(other.name()),
        Share.of(CAPACITY - 1, CAPACITY),
        other.permits(2),
        Optional.of(other.permit()));
  }
}
