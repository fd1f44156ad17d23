-- The names of the locks that are held, by one or by several readers, as far as clients have told which names their
-- keys stand for.
-- Parameter: namespace.
SELECT n.name
FROM holdfast.advisory_name n
  JOIN pg_locks l ON l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (l.classid::bigint << 32) | l.objid::bigint = n.key
WHERE n.namespace = ?
