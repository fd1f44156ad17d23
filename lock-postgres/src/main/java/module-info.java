/** Locks on PostgreSQL, through its JDBC driver. */
module io.holdfast.lock.postgres {
  requires transitive io.holdfast.lock;
  requires transitive java.sql;
  requires com.zaxxer.hikari;
  requires org.postgresql.jdbc;
  requires org.slf4j;
  requires static org.checkerframework.checker.qual;

  exports io.holdfast.lock.postgres;

  provides io.holdfast.lock.spi.LockProvider with
      io.holdfast.lock.postgres.AdvisoryLockProvider,
      io.holdfast.lock.postgres.TableLockProvider,
      io.holdfast.lock.postgres.RowLockProvider;
}
