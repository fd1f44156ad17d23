-- The first statement of a transaction that is to hold a lock: who answers, and settings for as long
-- as the transaction lasts. Parameters: names and values of the settings text[] text[].
-- Columns: process, its start in microseconds, start of the transaction in microseconds, whether it
-- is a standby, the application's name for as long as the transaction lasts, and nothing of interest. The
-- first start is null if the server does not show both to us: row/alive.sql could not find the transaction.
-- The server reports that name to the driver with the answer in which it changes, so also when the
-- transaction ends.
SELECT
  pg_backend_pid(),
  (SELECT (extract(epoch FROM backend_start) * 1000000)::bigint
     FROM pg_stat_activity WHERE pid = pg_backend_pid() AND xact_start IS NOT NULL),
  (extract(epoch FROM transaction_timestamp()) * 1000000)::bigint,
  pg_is_in_recovery(),
  set_config('application_name', 'holdfast/' || left(current_setting('application_name'), 50), true),
  (SELECT count(set_config(s.name, s.value, true)) FROM unnest(?::text[], ?::text[]) AS s (name, value))
