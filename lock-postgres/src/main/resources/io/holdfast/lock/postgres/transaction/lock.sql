-- Locks the row of a lock until the end of the transaction. Parameters: namespace, name. No row if it
-- is not there, or if somebody has it.
-- It is carried out with the search_path of the application, as the others of this folder.
SELECT true FROM holdfast.row_lock
WHERE namespace OPERATOR(pg_catalog.=) ? AND name OPERATOR(pg_catalog.=) ?
FOR UPDATE SKIP LOCKED
