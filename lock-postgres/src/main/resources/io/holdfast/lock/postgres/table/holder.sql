-- Who holds locks. Parameters: names text[], keys bigint[], namespace.
-- Columns: the place in the arrays, owner, token, session, microseconds that are left.
SELECT u.place, l.owner, l.token, NULL,
  (extract(epoch FROM l.expires_at - statement_timestamp()) * 1000000)::bigint
FROM unnest(?::text[], ?::bigint[]) WITH ORDINALITY AS u (name, key, place)
  CROSS JOIN LATERAL (
    SELECT * FROM holdfast.table_lock t
    WHERE t.namespace = ? AND t.name = u.name
    OFFSET 0) AS l
WHERE l.owner IS NOT NULL AND l.expires_at > statement_timestamp()
