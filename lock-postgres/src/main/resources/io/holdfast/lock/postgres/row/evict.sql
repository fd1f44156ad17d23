-- Ends the session whose transaction has a row locked, if it is that one, and tells of it. Parameters:
-- namespace, name, key, owner, session, channel. No row if another has it, or none; else whether the
-- session is gone, how many other locks are in the way (none: a connection has one lease), whether it is
-- our own, and nothing of interest.
-- Nothing is sent to a queue of notifications that is nearly full: see transaction/tell.sql.
WITH asked AS (
  SELECT ?::text AS namespace, ?::text AS name, ?::bigint AS key, ?::text AS owner, ?::text AS session,
    ?::text AS channel
), holder AS MATERIALIZED (
  SELECT t.pid, a.channel, a.key
  FROM asked a
    JOIN holdfast.row_lock l ON l.namespace = a.namespace AND l.name = a.name
    JOIN pg_locks t ON t.locktype = 'transactionid' AND t.transactionid = l.xmax AND t.granted
      AND t.mode = 'ExclusiveLock'
    LEFT JOIN pg_stat_activity s ON s.pid = t.pid
  WHERE a.session = concat('process ', t.pid,
    to_char(s.backend_start AT TIME ZONE 'UTC', '", started "YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    ', transaction ', t.transactionid)
), ended AS MATERIALIZED (
  SELECT h.*, h.pid = pg_backend_pid() AS own,
    CASE WHEN h.pid <> pg_backend_pid() THEN pg_terminate_backend(h.pid, 500) ELSE false END AS gone
  FROM holder h
)
SELECT e.gone, 0, e.own,
  CASE WHEN e.gone AND pg_notification_queue_usage() < 0.9 THEN pg_notify(e.channel, e.key::text) END
FROM ended e
