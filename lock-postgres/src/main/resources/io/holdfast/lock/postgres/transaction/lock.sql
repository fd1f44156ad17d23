-- Locks the row of a lock until the end of the transaction, and draws a token then. Parameters: whether what the
-- session has drawn before is on the disk, namespace, name.
-- Answers with the token; no row if the row of the lock is not there, or if somebody has it.
-- The token is 0 if it has to be drawn elsewhere, as a crash could take back more numbers than are left out (see
-- session/token-skip.sql): if none were left out since the last crash, if the session has drawn one that is not on
-- the disk yet, or if the transaction would not wait for the disk.
-- The inner query locks the row, and the token is drawn of its answer (OFFSET keeps the two apart).
-- It is carried out with the search_path of the application, as the others of this folder.
SELECT CASE
    WHEN ? AND pg_catalog.current_setting('synchronous_commit') OPERATOR(pg_catalog.<>) 'off'
      AND EXISTS (SELECT FROM holdfast.since_crash)
    THEN pg_catalog.nextval('holdfast.lock_token') ELSE 0 END
FROM (
  SELECT true FROM holdfast.row_lock
  WHERE namespace OPERATOR(pg_catalog.=) ? AND name OPERATOR(pg_catalog.=) ?
  FOR UPDATE SKIP LOCKED
  OFFSET 0) AS locked
