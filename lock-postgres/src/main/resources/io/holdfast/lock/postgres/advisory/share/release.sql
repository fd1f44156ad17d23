-- Gives shares, marks and turns back. Parameters: keys bigint[], their halves int[] int[], whether each writes
-- boolean[], with which the key is given back, as no other of this session reads boolean[], which are marked boolean[],
-- which have the turn boolean[], our session mark, the channel of the namespace. No row if another session
-- answers.
-- Answers with the place in the arrays, and whether the key was given back.
-- The key goes before what says that readers and writers use it (see share/acquire.sql), and all of it before the
-- look for those who wait. Nothing is sent to a queue of notifications that is nearly full: see transaction/tell.sql.
WITH given AS MATERIALIZED (
  SELECT u.*,
    CASE
      WHEN NOT u.held THEN false
      WHEN u.writes THEN pg_advisory_unlock(u.key)
      ELSE pg_advisory_unlock_shared(u.key)
    END AS freed
  FROM unnest(?::bigint[], ?::int[], ?::int[], ?::boolean[], ?::boolean[], ?::boolean[], ?::boolean[])
    WITH ORDINALITY AS u (key, high, low, writes, held, marked, turn, place)
  WHERE current_setting('io_holdfast.session', true) = ?
), left_over AS MATERIALIZED (
  SELECT g.*,
    CASE WHEN g.freed THEN pg_advisory_unlock_shared(~g.high, ~g.low) END AS unused,
    CASE
      WHEN NOT g.turn THEN false
      WHEN g.writes THEN pg_advisory_unlock(~g.high, g.low)
      ELSE pg_advisory_unlock_shared(~g.high, g.low)
    END AS passed_on,
    CASE WHEN g.marked THEN pg_advisory_unlock_shared(g.high, g.low) END AS unmarked
  FROM given g
)
SELECT o.place, o.freed, o.unused, o.unmarked,
  CASE
    WHEN NOT o.freed AND NOT o.passed_on THEN NULL
    WHEN pg_try_advisory_lock(o.high, o.low) THEN pg_advisory_unlock(o.high, o.low)
    WHEN pg_notification_queue_usage() < 0.9 THEN pg_notify(c.channel, o.key::text) IS NOT NULL
  END
FROM left_over o, (SELECT ?::text AS channel OFFSET 0) AS c
