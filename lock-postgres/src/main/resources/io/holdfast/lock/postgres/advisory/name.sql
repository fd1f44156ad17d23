-- Tells which names keys stand for, and answers with the names that were there first.
-- Parameters: namespace, keys bigint[], names text[].
INSERT INTO holdfast.advisory_name AS n (key, namespace, name, seen_at)
SELECT w.key, w.namespace, w.name, statement_timestamp()
FROM (SELECT u.key, ?::text AS namespace, u.name
      FROM unnest(?::bigint[], ?::text[]) AS u (key, name)
      ORDER BY u.key) AS w
ON CONFLICT (key) DO UPDATE SET seen_at = excluded.seen_at
RETURNING n.key, n.namespace, n.name
