-- Gives shares more time, never less, where they are still held: a name whose owner an administrator has
-- cleared is not. A fail-over may have undone that a part was given back: then this gives it back again, and tells
-- of it. Parameters: names text[], owners text[], times to live in microseconds bigint[], how many permits are kept
-- at most int[], keys bigint[], our session mark, namespace, channel. Answers with each owner, and where it
-- holds, the end in microseconds since 1970, how many microseconds are left, and a number without a meaning. No row
-- if another session answers.
-- Nothing is sent to a queue of notifications that is nearly full: see transaction/tell.sql.
WITH wanted AS MATERIALIZED (
  SELECT u.* FROM unnest(?::text[], ?::text[], ?::bigint[], ?::int[], ?::bigint[]) AS u (name, owner, ttl, kept, key)
  WHERE current_setting('io_holdfast.session', true) = ?
), ours AS MATERIALIZED (
  SELECT s.*, w.ttl, w.kept, w.key
  FROM wanted w
    CROSS JOIN LATERAL (
      SELECT * FROM holdfast.table_share t
      WHERE t.namespace = ? AND t.name = w.name AND t.owner = w.owner
        AND t.token > 0 AND t.expires_at > statement_timestamp()
        AND EXISTS (SELECT FROM holdfast.table_lock l
                    WHERE l.namespace = t.namespace AND l.name = t.name AND l.owner LIKE 'shares of %')
      OFFSET 0) AS s
), renewed AS (
  INSERT INTO holdfast.table_share AS s (namespace, name, owner, permits, token, since, expires_at)
  SELECT o.namespace, o.name, o.owner, least(o.permits, o.kept), o.token, o.since,
    greatest(o.expires_at + interval '1 microsecond', statement_timestamp() + o.ttl * interval '1 microsecond')
  FROM ours o
  ON CONFLICT (namespace, name, owner) DO UPDATE SET permits = excluded.permits, expires_at = excluded.expires_at
  RETURNING s.namespace, s.name, s.owner, s.expires_at
), used AS (
  INSERT INTO holdfast.table_lock AS l (namespace, name, owner, token, expires_at, wanted_until)
  SELECT r.namespace, r.name, NULL, 0, max(r.expires_at), timestamptz '-infinity'
  FROM renewed r GROUP BY r.namespace, r.name
  ON CONFLICT (namespace, name) DO UPDATE SET expires_at = greatest(l.expires_at, excluded.expires_at)
), told AS MATERIALIZED (
  SELECT pg_notify(c.channel, o.key::text) FROM ours o, (SELECT ?::text AS channel) AS c
  WHERE o.permits > o.kept AND pg_notification_queue_usage() < 0.9
)
SELECT w.owner, (extract(epoch FROM r.expires_at) * 1000000)::bigint,
  (extract(epoch FROM r.expires_at - statement_timestamp()) * 1000000)::bigint, (SELECT count(*) FROM told)
FROM wanted w LEFT JOIN renewed r ON r.name = w.name AND r.owner = w.owner
