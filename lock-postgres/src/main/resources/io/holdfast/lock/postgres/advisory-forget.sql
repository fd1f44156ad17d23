-- Forgets names that nobody has used for a day, unless they are locked all the same.
DELETE FROM holdfast.advisory_name
WHERE key IN (
  SELECT n.key FROM holdfast.advisory_name n
  WHERE n.seen_at < statement_timestamp() - interval '1 day'
    AND NOT EXISTS (
      SELECT 1 FROM pg_locks l
      WHERE l.locktype = 'advisory' AND l.objsubid = 1
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (l.classid::bigint << 32) | l.objid::bigint = n.key)
  ORDER BY n.key
  LIMIT 1000
  FOR UPDATE SKIP LOCKED)
