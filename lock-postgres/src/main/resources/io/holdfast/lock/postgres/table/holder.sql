-- Who holds locks and shares, by their tokens. Parameters: names text[], keys bigint[], namespace.
-- Columns: the place in the arrays, owner, token, session, microseconds that are left, permits, capacity.
SELECT h.place, h.owner, h.token, NULL, (extract(epoch FROM h.expires_at - statement_timestamp()) * 1000000)::bigint,
  h.permits, h.capacity
FROM (
  SELECT u.place, coalesce(s.owner, l.owner) AS owner, coalesce(s.token, l.token) AS token,
    coalesce(s.expires_at, l.expires_at) AS expires_at, coalesce(s.permits, 1) AS permits,
    coalesce(substring(l.owner FROM '^shares of ([0-9]+)$')::int, 1) AS capacity, s.owner IS NULL AS alone
  FROM unnest(?::text[], ?::bigint[]) WITH ORDINALITY AS u (name, key, place)
    CROSS JOIN LATERAL (
      SELECT * FROM holdfast.table_lock t
      WHERE t.namespace = ? AND t.name = u.name
        AND t.owner IS NOT NULL AND t.expires_at > statement_timestamp()
      OFFSET 0) AS l
    LEFT JOIN LATERAL (
      SELECT * FROM holdfast.table_share t
      WHERE t.namespace = l.namespace AND t.name = l.name AND l.owner LIKE 'shares of %'
        AND t.token > 0 AND t.expires_at > statement_timestamp()
      OFFSET 0) AS s ON true) AS h
WHERE NOT (h.alone AND h.owner LIKE 'shares of %')
ORDER BY h.place, h.token
