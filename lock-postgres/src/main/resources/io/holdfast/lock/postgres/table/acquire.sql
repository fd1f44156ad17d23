-- Takes locks that are free or whose time is over, in the order of their names.
-- Parameters: names text[], owners text[], times to live in microseconds bigint[], keys bigint[], which are
-- to mark who waits boolean[], our session mark, namespace (twice). No row if another session
-- answers: what is asked there could come late, and the end of our session would prove nothing.
-- Answers with the place in the arrays, the token if it is ours now, and otherwise for how many
-- microseconds somebody else has it, the capacity if several share the name (see holdfast.sql), and
-- whether it is marked now who waits, by a shared lock of our slot (see advisory/release.sql).
--
-- Where it is another's, this leaves a note that somebody was refused, whether it waits or not, for a
-- minute; one that finds a note for half a minute more writes nothing, and relies on that. So it has to be
--   a waiter asks again (25 s, ASK_AGAIN of LockStatements) < a note is renewed (30 s) < it lasts (60 s)
-- The row's lock puts a note and a release in order: a release that comes later finds the note, and one
-- that came before is found here.
-- All compare with one instant, the statement's beginning: after waiting for a row, time has gone on,
-- and the row is no more free than at that instant. The token of a row that is there is drawn under
-- its lock. That of a new row is drawn before; but rows stay for a minute when they are free, and no
-- statement takes longer than twenty seconds, so nobody had the lock since.
-- Rows are looked for one by one (OFFSET keeps them so), as in table/release.sql.
WITH wanted AS (
  SELECT u.* FROM unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::boolean[])
    WITH ORDINALITY AS u (name, owner, ttl, key, marks, place)
  WHERE current_setting('io_holdfast.session', true) = ?
), busy AS (
  SELECT w.place, l.owner, l.expires_at
  FROM wanted w
    CROSS JOIN LATERAL (
      SELECT * FROM holdfast.table_lock t
      WHERE t.namespace = ? AND t.name = w.name
      OFFSET 0) AS l
  WHERE l.owner <> w.owner AND l.expires_at > statement_timestamp()
    AND l.wanted_until > statement_timestamp() + interval '30 s'
), asked AS (
  INSERT INTO holdfast.table_lock AS l (namespace, name, owner, token, expires_at, wanted_until)
  SELECT s.* FROM (
    SELECT ?::text, w.name, w.owner, nextval('holdfast.lock_token'),
      statement_timestamp() + w.ttl * interval '1 microsecond', timestamptz '-infinity'
    FROM (SELECT * FROM wanted WHERE place NOT IN (SELECT place FROM busy)
          ORDER BY name COLLATE "C") AS w) AS s
  ON CONFLICT (namespace, name) DO UPDATE SET
    owner = CASE
      WHEN l.owner IS NULL OR l.owner = excluded.owner OR l.expires_at <= statement_timestamp()
      THEN excluded.owner ELSE l.owner END,
    token = CASE
      WHEN l.owner IS NULL OR l.owner = excluded.owner OR l.expires_at <= statement_timestamp()
      THEN nextval('holdfast.lock_token') ELSE l.token END,
    expires_at = CASE
      WHEN l.owner = excluded.owner THEN greatest(l.expires_at, excluded.expires_at)
      WHEN l.owner IS NULL OR l.expires_at <= statement_timestamp()
      THEN excluded.expires_at ELSE l.expires_at END,
    wanted_until = CASE
      WHEN l.owner IS NULL OR l.owner = excluded.owner OR l.expires_at <= statement_timestamp()
      THEN l.wanted_until ELSE statement_timestamp() + interval '60 s' END
  RETURNING l.name, l.owner, l.token, l.expires_at
)
SELECT w.place,
  CASE WHEN a.owner = w.owner THEN a.token END,
  (extract(epoch FROM coalesce(a.expires_at, b.expires_at) - statement_timestamp()) * 1000000)::bigint,
  substring(coalesce(a.owner, b.owner) FROM '^shares of ([0-9]+)$')::int,
  CASE WHEN w.marks AND a.owner IS DISTINCT FROM w.owner
    THEN pg_try_advisory_lock_shared(
      (w.key >> 32)::int, ((w.key << 32) >> 32)::int # (pg_backend_pid() % 127 + 1)) END
FROM wanted w LEFT JOIN asked a ON a.name = w.name LEFT JOIN busy b ON b.place = w.place
