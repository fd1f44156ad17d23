-- Removes rows that nobody has locked and that were made more than a day ago. Parameter: namespace.
DELETE FROM holdfast.row_lock
WHERE (namespace, name) IN (
  SELECT l.namespace, l.name FROM holdfast.row_lock l
  WHERE l.namespace = ? AND l.made_at < statement_timestamp() - interval '1 day'
  ORDER BY l.name
  LIMIT 1000
  FOR UPDATE SKIP LOCKED)
