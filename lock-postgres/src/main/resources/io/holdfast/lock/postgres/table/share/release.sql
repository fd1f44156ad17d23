-- Gives shares back, now or by their end, or a part of their permits, and takes those away that wait; tells of it
-- where somebody waits. Parameters: names text[], owners text[], keys bigint[], for how many microseconds each stays
-- taken (0 for not at all; null as before) bigint[], how many permits are kept at most int[], our session mark,
-- namespace, channel.
-- Answers with each owner, and whether it held permits whose time was not over yet. No row if another session
-- answers. The use of a name then ends with the last of its rows, also if ours was not there any more.
-- Nothing is sent to a queue of notifications that is nearly full: see transaction/tell.sql.
WITH wanted AS MATERIALIZED (
  SELECT u.*, statement_timestamp() AS now
  FROM unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::int[]) AS u (name, owner, key, taken, permits)
  WHERE current_setting('io_holdfast.session', true) = ?
), names AS MATERIALIZED (
  SELECT DISTINCT ?::text AS namespace, name, key FROM wanted
), seen AS MATERIALIZED (
  SELECT s.*
  FROM names n
    CROSS JOIN LATERAL (
      SELECT t.ctid AS spot, t.* FROM holdfast.table_share t
      WHERE t.namespace = n.namespace AND t.name = n.name OFFSET 0) AS s
), ours AS MATERIALIZED (
  SELECT s.namespace, s.name, s.owner, s.spot, s.token, s.since, least(s.permits, w.permits) AS permits,
    s.token > 0 AND s.expires_at > w.now AS in_time,
    s.token > 0 AND s.expires_at > w.now AND coalesce(w.taken, 1) > 0 AS stays,
    coalesce(w.now + w.taken * interval '1 microsecond', s.expires_at) AS until
  FROM wanted w JOIN seen s ON s.name = w.name AND s.owner = w.owner
), gone AS (
  DELETE FROM holdfast.table_share WHERE ctid = ANY (ARRAY(SELECT o.spot FROM ours o WHERE NOT o.stays))
), changed AS (
  INSERT INTO holdfast.table_share AS s (namespace, name, owner, permits, token, since, expires_at)
  SELECT o.namespace, o.name, o.owner, o.permits, o.token, o.since, o.until FROM ours o WHERE o.stays
  ON CONFLICT (namespace, name, owner) DO UPDATE SET permits = excluded.permits, expires_at = excluded.expires_at
), remaining AS MATERIALIZED (
  SELECT n.namespace, n.name, n.key, max(r.until) AS until, coalesce(bool_or(r.waits), false) AS waited_for
  FROM names n
    LEFT JOIN (
      SELECT s.name, s.expires_at AS until, s.token = 0 AS waits FROM seen s
      WHERE s.expires_at > statement_timestamp()
        AND NOT EXISTS (SELECT FROM ours x WHERE x.name = s.name AND x.owner = s.owner)
      UNION ALL
      SELECT s.name, s.until, false FROM ours s WHERE s.stays) AS r ON r.name = n.name
  GROUP BY n.namespace, n.name, n.key
), used AS (
  INSERT INTO holdfast.table_lock AS l (namespace, name, owner, token, expires_at, wanted_until)
  SELECT r.namespace, r.name, CASE WHEN r.until IS NOT NULL THEN 'shares' END, 0,
    coalesce(r.until, statement_timestamp()), timestamptz '-infinity'
  FROM remaining r
  ON CONFLICT (namespace, name) DO UPDATE SET owner = CASE WHEN excluded.owner IS NOT NULL THEN l.owner END,
    expires_at = excluded.expires_at
    WHERE l.owner LIKE 'shares of %'
), told AS MATERIALIZED (
  SELECT pg_notify(c.channel, r.key::text) FROM remaining r, (SELECT ?::text AS channel) AS c
  WHERE r.waited_for AND pg_notification_queue_usage() < 0.9
)
SELECT w.owner, coalesce(o.in_time, false), (SELECT count(*) FROM told)
FROM wanted w LEFT JOIN ours o ON o.name = w.name AND o.owner = w.owner
