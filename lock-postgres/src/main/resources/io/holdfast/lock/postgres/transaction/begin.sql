-- The first statement of a transaction that is to hold a lock, if the session is not known (see again.sql): which
-- session answers, and settings for as long as the transaction lasts. Parameters: names and values of the settings
-- text[] text[]; those that this version does not know are left out.
-- Columns: start of the transaction in microseconds, the application's name for as long as the transaction
-- lasts, the role, process, its start in microseconds, the number of the role that logged in, whether it is a
-- standby, and nothing of interest. The second start is null if the server does not show both to us:
-- row/alive.sql could not find the transaction.
-- The server reports that name to the driver with the answer in which it changes, so also when the
-- transaction ends.
-- It is carried out with the search_path of the application, so all that it uses has its schema (see
-- connect/session.sql).
SELECT
  (extract(epoch FROM pg_catalog.transaction_timestamp()) OPERATOR(pg_catalog.*) 1000000)::bigint,
  pg_catalog.set_config('application_name',
    pg_catalog.concat('holdfast/', pg_catalog.left(pg_catalog.current_setting('application_name'), 50)), true),
  current_user,
  pg_catalog.pg_backend_pid(),
  CASE WHEN a.xact_start IS NOT NULL
    THEN (extract(epoch FROM a.backend_start) OPERATOR(pg_catalog.*) 1000000)::bigint END,
  a.usesysid::bigint,
  pg_catalog.pg_is_in_recovery(),
  (SELECT pg_catalog.count(pg_catalog.set_config(s.name, s.value, true))
     FROM unnest(?::pg_catalog.text[], ?::pg_catalog.text[]) AS s (name, value)
     WHERE pg_catalog.current_setting(s.name, true) IS NOT NULL)
FROM (SELECT) AS one
  LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid OPERATOR(pg_catalog.=) pg_catalog.pg_backend_pid()
