-- Asks for permits. Parameters: names text[], owners text[], times to live in microseconds bigint[], permits
-- int[], capacities int[], for how many microseconds each is remembered if it has to wait (0 if it does not wait)
-- bigint[], our session mark, namespace.
-- No row if another session answers. Each name is there once.
-- Answers with the place in the arrays, the token if it is granted, and otherwise after how many microseconds
-- something in the way ends by itself, and the owner in table_lock if the name is in use with another capacity.
--
-- Granted is what fits beside all that is held and all that others have waited for longer. Otherwise this leaves
-- a row that says since when we wait, if we do. A row with token 0 waits. The use of a name ends with the last of
-- its rows.
WITH wanted AS MATERIALIZED (
  SELECT u.*, statement_timestamp() AS now
  FROM unnest(?::text[], ?::text[], ?::bigint[], ?::int[], ?::int[], ?::bigint[]) WITH ORDINALITY
    AS u (name, owner, ttl, permits, capacity, remembered, place)
  WHERE current_setting('io_holdfast.session', true) = ?
), head AS MATERIALIZED (
  SELECT w.*, t.namespace, t.owner AS used_by,
    t.owner IS NOT NULL AND t.expires_at > w.now AS in_use, 'shares of ' || w.capacity AS tag
  FROM wanted w
    CROSS JOIN LATERAL (
      SELECT * FROM holdfast.table_lock l WHERE l.namespace = ? AND l.name = w.name OFFSET 0) AS t
), seen AS MATERIALIZED (
  SELECT h.place, s.*
  FROM head h
    CROSS JOIN LATERAL (
      SELECT t.ctid AS spot, t.* FROM holdfast.table_share t
      WHERE t.namespace = h.namespace AND t.name = h.name OFFSET 0) AS s
), judged AS MATERIALIZED (
  SELECT h.*, own.token > 0 AS held, own.token, own.since, own.permits AS has, own.expires_at AS own_end,
    others.permits + h.permits <= h.capacity AS fits, others.soonest, nextval('holdfast.lock_token') AS number
  FROM head h
    LEFT JOIN seen own ON own.place = h.place AND own.owner = h.owner AND own.expires_at > h.now
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(s.permits), 0) AS permits, min(s.expires_at) AS soonest FROM seen s
      WHERE s.place = h.place AND s.owner <> h.owner AND s.expires_at > h.now
        AND (s.token > 0 OR own.since IS NULL OR s.since < own.since)) AS others
  WHERE NOT h.in_use OR h.used_by = h.tag
), decided AS MATERIALIZED (
  SELECT j.*, coalesce(j.since, j.number) AS waits_since,
    CASE WHEN j.held THEN j.token WHEN j.fits THEN j.number ELSE 0 END AS granted,
    CASE WHEN j.held THEN j.has ELSE j.permits END AS kept,
    CASE
      WHEN j.held THEN greatest(j.own_end, j.now + j.ttl * interval '1 microsecond')
      WHEN j.fits THEN j.now + j.ttl * interval '1 microsecond'
      ELSE j.now + j.remembered * interval '1 microsecond' END AS until
  FROM judged j
), placed AS (
  INSERT INTO holdfast.table_share AS s (namespace, name, owner, permits, token, since, expires_at)
  SELECT d.namespace, d.name, d.owner, d.kept, d.granted, d.waits_since, d.until FROM decided d
  WHERE d.granted > 0 OR d.remembered > 0
  ON CONFLICT (namespace, name, owner) DO UPDATE SET permits = excluded.permits, token = excluded.token,
    since = excluded.since, expires_at = excluded.expires_at
), used AS (
  INSERT INTO holdfast.table_lock AS l (namespace, name, owner, token, expires_at, wanted_until)
  SELECT d.namespace, d.name, d.tag, 0,
    greatest(d.until, (SELECT max(s.expires_at) FROM seen s WHERE s.place = d.place AND s.owner <> d.owner)),
    timestamptz '-infinity'
  FROM decided d
  WHERE d.granted > 0 OR d.remembered > 0
  ON CONFLICT (namespace, name) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
), gone AS (
  DELETE FROM holdfast.table_share
  WHERE ctid = ANY (ARRAY(
    SELECT s.spot FROM decided d JOIN seen s ON s.place = d.place
    WHERE s.owner <> d.owner AND s.expires_at <= d.now))
)
SELECT h.place, d.granted, (extract(epoch FROM d.soonest - h.now) * 1000000)::bigint,
  CASE WHEN d.place IS NULL THEN h.used_by END
FROM head h LEFT JOIN decided d ON d.place = h.place
