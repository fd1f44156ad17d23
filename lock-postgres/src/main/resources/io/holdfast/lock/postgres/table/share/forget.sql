-- Looks at some rows of shares, and removes those that have been over for a minute: of a name that is used as a lock
-- now, no other statement does. Parameters and answers as of table/forget.sql.
--
-- The name's row need not be locked: what is over counts for nobody. A claim that asks with such a row again writes it
-- under the row's lock, and it is not old then. Of a name in two slices, the rest is left for the next round.
WITH slice AS MATERIALIZED (
  SELECT s.namespace, s.name, s.owner, s.expires_at < statement_timestamp() - interval '1 min' AS old
  FROM holdfast.table_share s
  WHERE s.namespace = ? AND s.name > coalesce(?::text, '')
  ORDER BY s.namespace, s.name, s.owner
  LIMIT ?
), gone AS (
  DELETE FROM holdfast.table_share
  WHERE ctid = ANY (ARRAY(
    SELECT l.place FROM slice s
      CROSS JOIN LATERAL (
        SELECT t.ctid AS place FROM holdfast.table_share t
        WHERE t.namespace = s.namespace AND t.name = s.name AND t.owner = s.owner
          AND t.expires_at < statement_timestamp() - interval '1 min'
        FOR UPDATE SKIP LOCKED) AS l
    WHERE s.old))
  RETURNING true
)
SELECT max(s.name), count(*), (SELECT count(*) FROM gone) FROM slice s
