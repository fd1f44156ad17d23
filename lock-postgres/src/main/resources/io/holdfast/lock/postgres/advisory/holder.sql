-- Who holds locks. Parameters: names text[], keys bigint[], namespace.
-- Columns: the place in the arrays, owner, token, session, microseconds that are left, permits, capacity.
-- A key that stands for another name is not this lock. That the server does not tell when the process
-- of another role began is no reason not to name it.
SELECT u.place, NULL, NULL,
  concat('process ', l.pid, to_char(a.backend_start AT TIME ZONE 'UTC', '", started "YYYY-MM-DD"T"HH24:MI:SS.US"Z"')),
  NULL, 1, 1
FROM unnest(?::text[], ?::bigint[]) WITH ORDINALITY AS u (name, key, place)
  JOIN pg_locks l ON l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted AND l.mode = 'ExclusiveLock'
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (l.classid::bigint << 32) | l.objid::bigint = u.key
  LEFT JOIN pg_stat_activity a ON a.pid = l.pid
  LEFT JOIN holdfast.advisory_name n ON n.key = u.key
WHERE n.key IS NULL OR (n.namespace = ? AND n.name = u.name)
