-- Gives locks more time, never less, where they are still ours, in the order of their names. The end always
-- moves, so that one that is to be shortened is known by its end.
-- Parameters: names text[], owners text[], times to live in microseconds bigint[], namespace.
-- Answers with the names of those that were ours, their ends in microseconds since 1970, and how many
-- microseconds are left. Finds and changes rows as table/release.sql does.
WITH ours AS (
  SELECT l.*, u.ttl
  FROM (SELECT * FROM unnest(?::text[], ?::text[], ?::bigint[]) AS w (name, owner, ttl)
        ORDER BY name COLLATE "C") AS u
    CROSS JOIN LATERAL (
      SELECT * FROM holdfast.table_lock t
      WHERE t.namespace = ? AND t.name = u.name AND t.owner = u.owner
        AND t.expires_at > statement_timestamp()
      FOR UPDATE) AS l
)
INSERT INTO holdfast.table_lock AS l (namespace, name, owner, token, expires_at, wanted_until)
SELECT o.namespace, o.name, o.owner, o.token,
  statement_timestamp() + o.ttl * interval '1 microsecond', o.wanted_until
FROM ours o
ON CONFLICT (namespace, name) DO UPDATE
  SET expires_at = greatest(l.expires_at + interval '1 microsecond', excluded.expires_at)
RETURNING l.name, (extract(epoch FROM l.expires_at) * 1000000)::bigint,
  (extract(epoch FROM l.expires_at - statement_timestamp()) * 1000000)::bigint
