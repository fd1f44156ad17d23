-- Locks the row of a lock until the end of the transaction, and draws a token then. Parameters: namespace, name.
-- Answers with the token; no row if the row of the lock is not there, or if somebody has it.
-- The token is 0 if it has to be drawn elsewhere: because nobody has left numbers out since the server last
-- crashed (see session/token-skip.sql), or because the transaction may be over before what it has drawn has
-- reached the disk.
-- The inner query locks the row, and the token is drawn of its answer (OFFSET keeps the two apart).
-- It is carried out with the search_path of the application, as the others of this folder.
SELECT CASE
    WHEN pg_catalog.current_setting('synchronous_commit') OPERATOR(pg_catalog.<>) 'off'
      AND EXISTS (SELECT FROM holdfast.since_crash)
    THEN pg_catalog.nextval('holdfast.lock_token') ELSE 0 END
FROM (
  SELECT true FROM holdfast.row_lock
  WHERE namespace OPERATOR(pg_catalog.=) ? AND name OPERATOR(pg_catalog.=) ?
  FOR UPDATE SKIP LOCKED
  OFFSET 0) AS locked
