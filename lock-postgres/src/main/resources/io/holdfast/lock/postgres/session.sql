-- Who answers. Columns: process, its start in microseconds, whether it is a standby, version,
-- encoding.
SELECT
  pg_backend_pid(),
  (SELECT (extract(epoch FROM backend_start) * 1000000)::bigint
     FROM pg_stat_activity WHERE pid = pg_backend_pid()),
  pg_is_in_recovery(),
  current_setting('server_version_num')::int,
  current_setting('server_encoding')
