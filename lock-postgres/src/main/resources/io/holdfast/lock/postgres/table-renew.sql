-- Gives locks more time, never less, where they are still ours, in the order of their names.
-- Parameters: names text[], owners text[], times to live in microseconds bigint[], namespace.
-- Answers with the names of those that were ours.
WITH ours AS (
  SELECT l.namespace, l.name, u.ttl
  FROM unnest(?::text[], ?::text[], ?::bigint[]) AS u (name, owner, ttl)
    JOIN holdfast.table_lock l ON l.namespace = ? AND l.name = u.name AND l.owner = u.owner
  WHERE l.expires_at > statement_timestamp()
  ORDER BY l.name
  FOR UPDATE OF l
)
UPDATE holdfast.table_lock AS l
SET expires_at = greatest(l.expires_at, statement_timestamp() + o.ttl * interval '1 microsecond')
FROM ours o
WHERE l.namespace = o.namespace AND l.name = o.name
RETURNING l.name
