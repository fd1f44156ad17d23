-- The names of the locks that are held. Parameter: namespace.
SELECT name FROM holdfast.table_lock
WHERE namespace = ? AND owner IS NOT NULL AND expires_at > statement_timestamp()
