-- Gives a name that is in use another capacity. Parameters: the capacity that it has and the one that it gets int int,
-- our session mark, namespace, name, channel, key bigint. Answers with whether it was in use
-- with that. No row if another session answers.
-- Nothing is sent to a queue of notifications that is nearly full: see transaction/tell.sql.
WITH asked AS MATERIALIZED (
  SELECT 'shares of ' || ?::int AS before, 'shares of ' || ?::int AS after
  WHERE current_setting('io_holdfast.session', true) = ?
), changed AS (
  UPDATE holdfast.table_lock l SET owner = a.after
  FROM asked a
  WHERE l.namespace = ? AND l.name = ? AND l.owner = a.before AND l.expires_at > statement_timestamp()
  RETURNING l.name
), told AS MATERIALIZED (
  SELECT CASE WHEN pg_notification_queue_usage() < 0.9 THEN pg_notify(?, ?::bigint::text) END FROM changed
)
SELECT (SELECT count(*) FROM told) > 0 FROM asked
