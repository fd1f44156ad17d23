-- Frees locks that are ours, and tells of it on the channel where somebody left word that he waits.
-- Parameters: names text[], owners text[], keys bigint[], namespace, channel.
-- Answers with the owner, and whether its time was not over yet.
WITH ours AS (
  SELECT l.namespace, l.name, u.owner, u.key, l.expires_at > statement_timestamp() AS in_time
  FROM unnest(?::text[], ?::text[], ?::bigint[]) AS u (name, owner, key)
    JOIN holdfast.table_lock l ON l.namespace = ? AND l.name = u.name AND l.owner = u.owner
  ORDER BY l.name
  FOR UPDATE OF l
), freed AS (
  UPDATE holdfast.table_lock AS l
  SET owner = NULL, expires_at = statement_timestamp()
  FROM ours o
  WHERE l.namespace = o.namespace AND l.name = o.name
  RETURNING o.owner, o.key, o.in_time, l.wanted_until > statement_timestamp() AS wanted
)
SELECT f.owner, f.in_time, CASE WHEN f.wanted THEN pg_notify(?, f.key::text) END FROM freed f
