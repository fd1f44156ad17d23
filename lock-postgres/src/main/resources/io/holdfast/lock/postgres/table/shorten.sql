-- Shortens locks that are kept for longer than we have asked for, as after a step of the server's clock
-- back: where they are still ours, and no renewal has moved their end since that end was read.
-- Parameters: names text[], owners text[], times to live in microseconds bigint[], ends in microseconds
-- since 1970 bigint[], namespace. Finds and changes rows as table/release.sql does.
WITH ours AS (
  SELECT l.*, u.ttl
  FROM (SELECT * FROM unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[]) AS w (name, owner, ttl, ends)
        ORDER BY name COLLATE "C") AS u
    CROSS JOIN LATERAL (
      SELECT * FROM holdfast.table_lock t
      WHERE t.namespace = ? AND t.name = u.name AND t.owner = u.owner
        AND t.expires_at = timestamptz 'epoch' + u.ends * interval '1 microsecond'
      FOR UPDATE) AS l
)
INSERT INTO holdfast.table_lock AS l (namespace, name, owner, token, expires_at, wanted_until)
SELECT o.namespace, o.name, o.owner, o.token,
  statement_timestamp() + o.ttl * interval '1 microsecond', o.wanted_until
FROM ours o
ON CONFLICT (namespace, name) DO UPDATE SET expires_at = excluded.expires_at
