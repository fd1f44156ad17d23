-- Shortens shares as table/shorten.sql does locks, and the use of their names to the last end that is left.
-- Parameters: names text[], owners text[], times to live in microseconds bigint[], ends in microseconds since 1970
-- bigint[], our session mark, namespace.
WITH ours AS MATERIALIZED (
  SELECT s.*, statement_timestamp() + w.ttl * interval '1 microsecond' AS until
  FROM unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[]) AS w (name, owner, ttl, ends)
    CROSS JOIN LATERAL (
      SELECT * FROM holdfast.table_share t
      WHERE current_setting('io_holdfast.session', true) = ?
        AND t.namespace = ? AND t.name = w.name AND t.owner = w.owner
        AND t.expires_at = timestamptz 'epoch' + w.ends * interval '1 microsecond'
      OFFSET 0) AS s
), shortened AS (
  INSERT INTO holdfast.table_share AS s (namespace, name, owner, permits, token, since, expires_at)
  SELECT o.namespace, o.name, o.owner, o.permits, o.token, o.since, o.until FROM ours o
  ON CONFLICT (namespace, name, owner) DO UPDATE SET expires_at = excluded.expires_at
), remaining AS MATERIALIZED (
  SELECT n.namespace, n.name, greatest(n.until, max(others.expires_at)) AS until
  FROM (SELECT namespace, name, max(until) AS until FROM ours GROUP BY namespace, name) AS n
    LEFT JOIN LATERAL (
      SELECT t.owner, t.expires_at FROM holdfast.table_share t
      WHERE t.namespace = n.namespace AND t.name = n.name OFFSET 0) AS others
      ON NOT EXISTS (SELECT FROM ours x WHERE x.name = n.name AND x.owner = others.owner)
  GROUP BY n.namespace, n.name, n.until
)
INSERT INTO holdfast.table_lock AS l (namespace, name, owner, token, expires_at, wanted_until)
SELECT r.namespace, r.name, NULL, 0, r.until, timestamptz '-infinity' FROM remaining r
ON CONFLICT (namespace, name) DO UPDATE SET expires_at = excluded.expires_at
  WHERE l.owner LIKE 'shares of %'
