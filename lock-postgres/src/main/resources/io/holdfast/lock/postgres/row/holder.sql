-- Which transactions have rows locked. Parameters: names text[], keys bigint[], namespace.
-- Columns: the place in the arrays, owner, token, session, microseconds that are left, permits, capacity.
-- A row that is locked names the transaction that did it (xmax), and a transaction that is open has its
-- own number locked.
SELECT u.place, NULL, NULL,
  concat('process ', t.pid,
    to_char(a.backend_start AT TIME ZONE 'UTC', '", started "YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    ', transaction ', t.transactionid),
  NULL, 1, 1
FROM unnest(?::text[], ?::bigint[]) WITH ORDINALITY AS u (name, key, place)
  JOIN holdfast.row_lock l ON l.namespace = ? AND l.name = u.name
  JOIN pg_locks t ON t.locktype = 'transactionid' AND t.transactionid = l.xmax AND t.granted
    AND t.mode = 'ExclusiveLock'
  LEFT JOIN pg_stat_activity a ON a.pid = t.pid
