-- Frees a lock if it is still that owner's, and tells of it. Parameters: namespace, name, key, owner,
-- session, channel. No row if it is not; else whether it is free, how many other locks are in the way,
-- whether it is our own session that has it, and nothing of interest.
-- Nothing is sent to a queue of notifications that is nearly full: see transaction/tell.sql.
WITH asked AS (
  SELECT ?::text AS namespace, ?::text AS name, ?::bigint AS key, ?::text AS owner, ?::text AS session,
    ?::text AS channel
), freed AS (
  UPDATE holdfast.table_lock AS l
  SET owner = NULL, expires_at = statement_timestamp()
  FROM asked a
  WHERE l.namespace = a.namespace AND l.name = a.name AND l.owner = a.owner
    AND l.expires_at > statement_timestamp()
  RETURNING a.channel, a.key
)
SELECT true, 0, false,
  CASE WHEN pg_notification_queue_usage() < 0.9 THEN pg_notify(f.channel, f.key::text) END
FROM freed f
