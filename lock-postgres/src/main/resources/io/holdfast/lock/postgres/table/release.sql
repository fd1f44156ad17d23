-- Frees locks that are ours, now or by their end, and tells of it on the channel where somebody left a
-- note that it waits.
-- Parameters: names text[], owners text[], keys bigint[], for how many microseconds each stays taken (0 for
-- not at all) bigint[], namespace, channel.
-- Answers with the owner, and whether its time was not over yet.
--
-- Rows are looked for one by one (LATERAL), and changed by their key (ON CONFLICT), in the order of
-- their names: a plan that was made when there were few of them then does for many. A row that is
-- locked cannot go, so nothing is ever inserted.
-- Nothing is sent to a queue of notifications that is nearly full: see transaction/tell.sql.
WITH ours AS (
  SELECT l.*, u.key, u.taken, l.expires_at > statement_timestamp() AS in_time
  FROM (SELECT * FROM unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[]) AS w (name, owner, key, taken)
        ORDER BY name COLLATE "C") AS u
    CROSS JOIN LATERAL (
      SELECT * FROM holdfast.table_lock t
      WHERE t.namespace = ? AND t.name = u.name AND t.owner = u.owner
      FOR UPDATE) AS l
), freed AS (
  INSERT INTO holdfast.table_lock AS l (namespace, name, owner, token, expires_at, wanted_until)
  SELECT o.namespace, o.name, CASE WHEN o.in_time AND o.taken > 0 THEN o.owner END, o.token,
    statement_timestamp() + o.taken * interval '1 microsecond', o.wanted_until
  FROM ours o
  ON CONFLICT (namespace, name) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
)
SELECT o.owner, o.in_time,
  CASE WHEN o.wanted_until > statement_timestamp() AND pg_notification_queue_usage() < 0.9
    THEN pg_notify(?, o.key::text) END
FROM ours o
