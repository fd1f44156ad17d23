-- Goes before every other statement of this folder, in one transaction with it: locks the rows of names in
-- table_lock, in their order, and makes those that are missing. So all that is done with the shares of a name
-- is done one after another, and the next statement, whose snapshot is taken when it begins, sees all of what
-- was done before. Writes nothing to rows that are there. Parameters: names text[], namespace, the mark of our
-- session.
INSERT INTO holdfast.table_lock AS l (namespace, name, owner, token, expires_at, wanted_until)
SELECT w.namespace, w.name, NULL, 0, statement_timestamp(), timestamptz '-infinity'
FROM (SELECT DISTINCT u.name COLLATE "C" AS name, p.namespace
      FROM unnest(?::text[]) AS u (name), (SELECT ?::text AS namespace) AS p
      WHERE current_setting('io_holdfast.session', true) = ?
      ORDER BY 1) AS w
ON CONFLICT (namespace, name) DO UPDATE SET token = l.token WHERE false;
