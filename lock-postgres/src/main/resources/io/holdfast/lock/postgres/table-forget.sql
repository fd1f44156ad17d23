-- Removes the rows of locks that have been free for ten minutes. Parameter: namespace.
DELETE FROM holdfast.table_lock
WHERE (namespace, name) IN (
  SELECT l.namespace, l.name FROM holdfast.table_lock l
  WHERE l.namespace = ? AND l.expires_at < statement_timestamp() - interval '10 min'
  ORDER BY l.name
  LIMIT 1000
  FOR UPDATE SKIP LOCKED)
