-- Which of some names' rows other sessions have locked now. Waits for none of them, and for no table longer than the
-- first statement says. Parameters: names text[], namespace. Columns: name, and which transaction has the row
-- locked: one that keeps it stays the same, while those of ordinary clients change all the time.
SELECT set_config('lock_timeout', '50', true);
WITH named AS MATERIALIZED (
  SELECT t.namespace, t.name, t.locker
  FROM (SELECT u.name, p.namespace FROM unnest(?::text[]) AS u (name), (SELECT ?::text AS namespace) AS p) AS w
    CROSS JOIN LATERAL (
      SELECT l.namespace, l.name, l.xmax::text AS locker FROM holdfast.table_lock l
      WHERE l.namespace = w.namespace AND l.name = w.name OFFSET 0) AS t
), mine AS MATERIALIZED (
  SELECT t.name
  FROM named n
    CROSS JOIN LATERAL (
      SELECT * FROM holdfast.table_lock l WHERE l.namespace = n.namespace AND l.name = n.name
      FOR UPDATE SKIP LOCKED) AS t
)
SELECT n.name, n.locker FROM named n WHERE n.name NOT IN (SELECT m.name FROM mine m)
