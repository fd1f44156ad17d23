-- Frees locks that are ours, now or by their end, takes marks back, and tells of it on the channel where
-- somebody left a note that it was refused, with one of those that have marked who waits (see advisory/release.sql).
-- One that stays taken is for nobody yet.
-- Parameters: names text[], owners text[], keys bigint[], for how many microseconds each stays taken (0 for
-- not at all) bigint[], which are marked boolean[], namespace, channel.
-- Answers with the owner of each, and if it was ours, with whether its time was not over yet; in the fourth
-- place with the slot that was named.
--
-- Rows are looked for one by one (LATERAL), and changed by their key (ON CONFLICT), in the order of
-- their names: a plan that was made when there were few of them then does for many. A row that is
-- locked cannot go, so nothing is ever inserted.
-- Nothing is sent to a queue of notifications that is nearly full: see transaction/tell.sql.
WITH claims AS (
  SELECT c.*, (key >> 32)::int AS high, ((key << 32) >> 32)::int AS low, pg_backend_pid() % 127 + 1 AS slot
  FROM unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::boolean[])
    AS c (name, owner, key, taken, marked)
), ours AS (
  SELECT l.*, u.taken, l.expires_at > statement_timestamp() AS in_time
  FROM (SELECT * FROM claims ORDER BY name COLLATE "C") AS u
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
SELECT c.owner, o.in_time,
  CASE WHEN c.marked THEN pg_advisory_unlock_shared(c.high, c.low # c.slot) END,
  first.slot,
  CASE WHEN o.wanted_until > statement_timestamp() AND pg_notification_queue_usage() < 0.9
    THEN pg_notify(?, concat_ws(' ', c.key, first.slot)) END
FROM claims c LEFT JOIN ours o ON o.owner = c.owner
  LEFT JOIN LATERAL (
    SELECT s.slot
    FROM (SELECT (c.slot + i - 1) % 127 + 1 AS slot FROM generate_series(1, 126) AS i
          WHERE o.taken = 0 AND o.wanted_until > statement_timestamp()) AS s
    WHERE CASE
        WHEN pg_try_advisory_lock(c.high, c.low # s.slot) THEN NOT pg_advisory_unlock(c.high, c.low # s.slot)
        ELSE true
      END
    LIMIT 1) AS first ON true
