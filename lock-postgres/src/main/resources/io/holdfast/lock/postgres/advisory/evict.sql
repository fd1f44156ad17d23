-- Ends the session that has a lock, if it is that one and has no other, and tells of it. Parameters:
-- namespace, name, key, owner, session, channel. No row if another session has it, or none; else
-- whether the session is gone, how many other locks it has, whether it is our own, and nothing of
-- interest. The locks are read once, so that all is seen at one instant; the session is told to end
-- right after it. A session may have a key several times, of readers.
-- Nothing is sent to a queue of notifications that is nearly full: see transaction/tell.sql.
WITH asked AS (
  SELECT ?::text AS namespace, ?::text AS name, ?::bigint AS key, ?::text AS owner, ?::text AS session,
    ?::text AS channel
), locks AS MATERIALIZED (
  SELECT l.pid, (l.classid::bigint << 32) | l.objid::bigint AS key
  FROM pg_locks l
  WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
), holder AS MATERIALIZED (
  SELECT DISTINCT l.pid, a.channel, a.key
  FROM asked a
    JOIN locks l ON l.key = a.key
    LEFT JOIN pg_stat_activity s ON s.pid = l.pid
  WHERE a.session = concat('process ', l.pid,
    to_char(s.backend_start AT TIME ZONE 'UTC', '", started "YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
), judged AS MATERIALIZED (
  SELECT h.*, h.pid = pg_backend_pid() AS own,
    (SELECT count(DISTINCT l.key) FROM locks l WHERE l.pid = h.pid AND l.key <> h.key) AS others
  FROM holder h
), ended AS MATERIALIZED (
  SELECT j.*, CASE WHEN j.others = 0 AND NOT j.own THEN pg_terminate_backend(j.pid, 500) ELSE false END AS gone
  FROM judged j
)
SELECT e.gone, e.others, e.own,
  CASE WHEN e.gone AND pg_notification_queue_usage() < 0.9 THEN pg_notify(e.channel, e.key::text) END
FROM ended e
