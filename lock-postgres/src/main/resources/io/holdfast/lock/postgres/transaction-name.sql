-- Which name a key stands for, if somebody has told, and whether enough tokens were left out since the
-- server last crashed. Parameter: key. Columns: namespace, name, whether they were, nothing of
-- interest (what the transaction draws has to reach the disk with it), and whether the session is a lock
-- client's own, in which its locks are reentrant.
SELECT n.namespace, n.name, EXISTS (SELECT FROM holdfast.since_crash),
  CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', true) END,
  coalesce(current_setting('io_holdfast.session', true), '') <> ''
FROM (SELECT) AS one LEFT JOIN holdfast.advisory_name n ON n.key = ?
