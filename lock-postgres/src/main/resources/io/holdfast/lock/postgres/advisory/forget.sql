-- Looks at some names, and forgets those that nobody has told of for two minutes, unless they are locked
-- all the same. Parameters: the key behind which to begin (null: at the first), how many rows to look at.
-- Answers with the last key that was looked at, how many were, and how many rows are gone. Reads and
-- removes as table/forget.sql does.
WITH slice AS MATERIALIZED (
  SELECT n.key, n.seen_at < statement_timestamp() - interval '2 min' AS old
  FROM holdfast.advisory_name n
  WHERE n.key > coalesce(?::text::bigint, -9223372036854775808)
  ORDER BY n.key
  LIMIT ?
), held AS MATERIALIZED (
  SELECT (l.classid::bigint << 32) | l.objid::bigint AS key FROM pg_locks l
  WHERE l.locktype = 'advisory' AND l.objsubid = 1
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
), gone AS (
  DELETE FROM holdfast.advisory_name
  WHERE ctid = ANY (ARRAY(
    SELECT l.place FROM slice s
      CROSS JOIN LATERAL (
        SELECT t.ctid AS place FROM holdfast.advisory_name t
        WHERE t.key = s.key AND t.seen_at < statement_timestamp() - interval '2 min'
        FOR UPDATE SKIP LOCKED) AS l
    WHERE s.old AND s.key NOT IN (SELECT key FROM held)))
  RETURNING true
)
SELECT max(s.key)::text, count(*), (SELECT count(*) FROM gone) FROM slice s
