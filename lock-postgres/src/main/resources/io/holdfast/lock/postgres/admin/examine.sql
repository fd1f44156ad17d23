-- What a server says of itself. Columns: version, its clock in microseconds, whether it waits for the
-- disk, standbys that are connected, those that it waits for, connections in use, connections at most,
-- places for locks in memory.
SELECT
  current_setting('server_version'),
  (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
  current_setting('fsync') = 'on',
  (SELECT count(*) FROM pg_stat_replication),
  current_setting('synchronous_standby_names'),
  (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
  current_setting('max_connections')::int,
  current_setting('max_locks_per_transaction')::int
    * (current_setting('max_connections')::int
       + current_setting('max_prepared_transactions')::int)
