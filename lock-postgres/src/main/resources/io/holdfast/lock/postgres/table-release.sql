-- Frees locks that are ours, and tells of it on the channel where somebody left word that he waits.
-- Parameters: names text[], owners text[], keys bigint[], namespace, channel.
-- Answers with the owner, and whether its time was not over yet.
--
-- Rows are looked for one by one (LATERAL), and changed by their key (ON CONFLICT), in the order of
-- their names: a plan that was made when there were few of them then does for many. A row that is
-- locked cannot go, so nothing is ever inserted.
WITH ours AS (
  SELECT l.*, u.key, l.expires_at > statement_timestamp() AS in_time
  FROM (SELECT * FROM unnest(?::text[], ?::text[], ?::bigint[]) AS w (name, owner, key)
        ORDER BY name COLLATE "C") AS u
    CROSS JOIN LATERAL (
      SELECT * FROM holdfast.table_lock t
      WHERE t.namespace = ? AND t.name = u.name AND t.owner = u.owner
      FOR UPDATE) AS l
), freed AS (
  INSERT INTO holdfast.table_lock AS l (namespace, name, owner, token, expires_at, wanted_until)
  SELECT o.namespace, o.name, o.owner, o.token, o.expires_at, o.wanted_until FROM ours o
  ON CONFLICT (namespace, name) DO UPDATE SET owner = NULL, expires_at = statement_timestamp()
)
SELECT o.owner, o.in_time,
  CASE WHEN o.wanted_until > statement_timestamp() THEN pg_notify(?, o.key::text) END
FROM ours o
