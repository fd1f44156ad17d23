-- Makes the row of a lock. Parameters: namespace, name. One row was made, or none because it is there.
INSERT INTO holdfast.row_lock (namespace, name, made_at)
VALUES (?, ?, pg_catalog.statement_timestamp())
ON CONFLICT (namespace, name) DO NOTHING
