-- Looks at some rows, and removes those of locks that have been free for a minute.
-- Parameters: namespace, the name behind which to begin (null: at the first), how many rows to look at.
-- Answers with the last name that was looked at, how many were, and how many rows are gone.
--
-- The slice is read in the order of the index, and rows go by their place: no plan reads the whole table.
WITH slice AS MATERIALIZED (
  SELECT l.namespace, l.name, l.expires_at < statement_timestamp() - interval '1 min' AS old
  FROM holdfast.table_lock l
  WHERE l.namespace = ? AND l.name > coalesce(?::text, '')
  ORDER BY l.namespace, l.name
  LIMIT ?
), gone AS (
  DELETE FROM holdfast.table_lock
  WHERE ctid = ANY (ARRAY(
    SELECT l.place FROM slice s
      CROSS JOIN LATERAL (
        SELECT t.ctid AS place FROM holdfast.table_lock t
        WHERE t.namespace = s.namespace AND t.name = s.name AND t.expires_at < statement_timestamp() - interval '1 min'
        FOR UPDATE SKIP LOCKED) AS l
    WHERE s.old))
  RETURNING true
)
SELECT max(s.name), count(*), (SELECT count(*) FROM gone) FROM slice s
