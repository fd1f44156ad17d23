-- Locks the row of a lock until the end of the transaction. Parameters: namespace, name. No row if it
-- is not there, or if somebody has it.
SELECT true FROM holdfast.row_lock
WHERE namespace = ? AND name = ?
FOR UPDATE SKIP LOCKED
