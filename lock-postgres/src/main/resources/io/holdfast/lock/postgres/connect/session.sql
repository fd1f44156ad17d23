-- Who answers; and settings, if it is the process that the login told of, or whoever it may be, and no
-- other client has put its session mark there (see PgConnection).
-- Parameters: names and values of the settings text[] text[], the process int, whether to take any
-- boolean. synchronous_commit is only set where it is off, transaction_timeout where the server has it.
-- Columns: process, its start in microseconds, whether it is a standby, version, encoding, the session mark
-- of another client, the role, the number of the role that logged in, and nothing of interest. That mark is read
-- before it is set. The start is null if the role may not see it, or may not end sessions of the role that logged
-- in, which may be another.
-- It is carried out before search_path is set, so all that it uses has its schema: names and operators alike could
-- otherwise be somebody else's. (What is a keyword, and unnest of several arrays, are always the server's own.)
WITH before AS MATERIALIZED (
  SELECT coalesce(pg_catalog.current_setting('io_holdfast.session', true), '') AS mark
)
SELECT
  pg_catalog.pg_backend_pid(),
  CASE WHEN pg_catalog.pg_has_role(session_user, 'USAGE')
      OR pg_catalog.pg_has_role('pg_signal_backend'::pg_catalog.name, 'USAGE')
    THEN (extract(epoch FROM a.backend_start) OPERATOR(pg_catalog.*) 1000000)::bigint END,
  pg_catalog.pg_is_in_recovery(),
  pg_catalog.current_setting('server_version_num')::int,
  pg_catalog.current_setting('server_encoding'),
  before.mark,
  pg_catalog.quote_ident(current_user),
  a.usesysid::bigint,
  (SELECT pg_catalog.count(pg_catalog.set_config(s.name, s.value, false))
     FROM unnest(?::pg_catalog.text[], ?::pg_catalog.text[]) AS s (name, value)
     WHERE (pg_catalog.pg_backend_pid() OPERATOR(pg_catalog.=) ? OR ?) AND before.mark OPERATOR(pg_catalog.=) ''
       AND (s.name OPERATOR(pg_catalog.<>) 'synchronous_commit'
            OR pg_catalog.current_setting(s.name) OPERATOR(pg_catalog.=) 'off')
       AND (s.name OPERATOR(pg_catalog.<>) 'transaction_timeout'
            OR pg_catalog.current_setting(s.name, true) IS NOT NULL))
FROM before
  LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid OPERATOR(pg_catalog.=) pg_catalog.pg_backend_pid()
