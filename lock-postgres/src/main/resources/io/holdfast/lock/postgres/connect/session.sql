-- Who answers; and settings, if it is the process that the login told of, or whoever it may be, and no
-- other client has marked it as its own (see PgConnection).
-- Parameters: names and values of the settings text[] text[], the process int, whether to take any
-- boolean. synchronous_commit is only set where it is off.
-- Columns: process, its start in microseconds, whether it is a standby, version, encoding, the mark of
-- another client, the role, and nothing of interest. The mark is read before it is set. The start is null if
-- the role may not see it, or may not end sessions of the role that logged in, which may be another.
WITH before AS MATERIALIZED (
  SELECT coalesce(current_setting('io_holdfast.session', true), '') AS mark
)
SELECT
  pg_backend_pid(),
  (SELECT (extract(epoch FROM backend_start) * 1000000)::bigint
     FROM pg_stat_activity
     WHERE pid = pg_backend_pid()
       AND (pg_has_role(session_user, 'USAGE') OR pg_has_role('pg_signal_backend', 'USAGE'))),
  pg_is_in_recovery(),
  current_setting('server_version_num')::int,
  current_setting('server_encoding'),
  before.mark,
  quote_ident(current_user),
  (SELECT count(set_config(s.name, s.value, false))
     FROM unnest(?::text[], ?::text[]) AS s (name, value)
     WHERE (pg_backend_pid() = ? OR ?) AND before.mark = ''
       AND (s.name <> 'synchronous_commit' OR current_setting(s.name) = 'off'))
FROM before
