-- Shortens shares as table/shorten.sql does locks. The name stays in use until what its row in table_lock says.
-- Parameters: names text[], owners text[], times to live in microseconds bigint[], ends in microseconds since 1970
-- bigint[], the mark of our session, namespace.
INSERT INTO holdfast.table_share AS s (namespace, name, owner, permits, token, since, expires_at)
SELECT o.namespace, o.name, o.owner, o.permits, o.token, o.since,
  statement_timestamp() + w.ttl * interval '1 microsecond'
FROM unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[]) AS w (name, owner, ttl, ends)
  CROSS JOIN LATERAL (
    SELECT * FROM holdfast.table_share t
    WHERE current_setting('io_holdfast.session', true) = ?
      AND t.namespace = ? AND t.name = w.name AND t.owner = w.owner
      AND t.expires_at = timestamptz 'epoch' + w.ends * interval '1 microsecond'
    OFFSET 0) AS o
ON CONFLICT (namespace, name, owner) DO UPDATE SET expires_at = excluded.expires_at
