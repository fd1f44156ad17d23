-- Which name a key stands for, if somebody has told, and whether enough tokens were left out since the
-- server last crashed. Parameter: key. Columns: namespace, name, whether they were, nothing of
-- interest (what the transaction draws has to reach the disk with it), and whether the session is a lock
-- client's own, in which its locks are reentrant.
-- It is carried out with the search_path of the application, so all that it uses has its schema (see
-- connect/session.sql).
SELECT n.namespace, n.name, EXISTS (SELECT FROM holdfast.since_crash),
  CASE WHEN pg_catalog.current_setting('synchronous_commit') OPERATOR(pg_catalog.=) 'off'
    THEN pg_catalog.set_config('synchronous_commit', 'on', true) END,
  coalesce(pg_catalog.current_setting('io_holdfast.session', true), '') OPERATOR(pg_catalog.<>) ''
FROM (SELECT) AS one LEFT JOIN holdfast.advisory_name n ON n.key OPERATOR(pg_catalog.=) ?
