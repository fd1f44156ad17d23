-- Who holds locks. Parameters: names text[], keys bigint[], namespace.
-- Columns: the place in the arrays, owner, token, session, microseconds that are left, permits, capacity.
-- A key that stands for another name is not this lock. That the server does not tell when the process
-- of another role began is no reason not to name it. What readers and a writer have besides the key is
-- described in share/acquire.sql; several readers of one session are one lock of the server.
SELECT h.place, NULL, NULL,
  concat('process ', h.pid, to_char(a.backend_start AT TIME ZONE 'UTC', '", started "YYYY-MM-DD"T"HH24:MI:SS.US"Z"')),
  NULL, CASE WHEN h.shares AND h.writes THEN 1 << 30 ELSE 1 END, CASE WHEN h.shares THEN 1 << 30 ELSE 1 END
FROM (
  SELECT u.name, u.key, u.place, l.pid, bool_or(l.objsubid = 1) AS holds, bool_or(l.objsubid = 2) AS shares,
    bool_or(l.objsubid = 1 AND l.mode = 'ExclusiveLock') AS writes
  FROM unnest(?::text[], ?::bigint[]) WITH ORDINALITY AS u (name, key, place)
    JOIN (
      SELECT k.pid, k.mode, k.objsubid, (k.classid::bigint << 32) | k.objid::bigint AS key FROM pg_locks k
      WHERE k.locktype = 'advisory' AND k.granted
        AND k.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS l ON u.key = CASE l.objsubid WHEN 1 THEN l.key ELSE ~l.key END
  GROUP BY u.name, u.key, u.place, l.pid) AS h
  LEFT JOIN pg_stat_activity a ON a.pid = h.pid
  LEFT JOIN holdfast.advisory_name n ON n.key = h.key
WHERE h.holds AND (n.key IS NULL OR (n.namespace = ? AND n.name = h.name))
