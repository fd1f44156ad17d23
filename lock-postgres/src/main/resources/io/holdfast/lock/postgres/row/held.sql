-- The names of the locks that are held. Parameter: namespace.
SELECT l.name
FROM holdfast.row_lock l
  JOIN pg_locks t ON t.locktype = 'transactionid' AND t.transactionid = l.xmax AND t.granted
    AND t.mode = 'ExclusiveLock'
WHERE l.namespace = ?
