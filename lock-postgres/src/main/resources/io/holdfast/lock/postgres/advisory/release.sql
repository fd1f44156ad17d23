-- Releases locks and marks. Parameters: the channel of the namespace, keys bigint[], their halves
-- int[] int[], which are held boolean[], which are marked boolean[], and our session mark. No row
-- if another session answers.
-- Answers with the place in the arrays, and 0 if the lock was not ours, 1 if it was, 2 if somebody was told
-- as well.
-- A mark that is missing is no reason to keep a lock that is held.
-- Only if somebody has marked that it waits, it is told on the channel: the key, and after a blank the
-- slot of one that waits (session/NotificationListener).
-- A session has one of 127 slots, by the number of its process, and marks with it who waits, too, by a
-- shared lock of (high, low # slot). The first one after our own is named, so all have their turn.
-- Nothing is sent to a queue of notifications that is nearly full: see transaction/tell.sql.
SELECT w.place,
  CASE
    WHEN w.marked
      AND false = ANY (ARRAY[
        pg_advisory_unlock_shared(w.high, w.low), pg_advisory_unlock_shared(w.high, w.low # w.slot)])
      AND NOT w.held THEN 0
    WHEN NOT w.held THEN 0
    WHEN NOT pg_advisory_unlock(w.key) THEN 0
    WHEN pg_try_advisory_lock(w.high, w.low) THEN pg_advisory_unlock(w.high, w.low)::int
    WHEN pg_notification_queue_usage() < 0.9
    THEN 1 + (pg_notify(w.channel, concat_ws(' ', w.key, (
        SELECT s.slot
        FROM (SELECT (w.slot + i - 1) % 127 + 1 AS slot FROM generate_series(1, 126) AS i) AS s
        WHERE CASE
            WHEN pg_try_advisory_lock(w.high, w.low # s.slot) THEN NOT pg_advisory_unlock(w.high, w.low # s.slot)
            ELSE true
          END
        LIMIT 1))) IS NOT NULL)::int
    ELSE 1
  END
FROM (SELECT u.*, ?::text AS channel, pg_backend_pid() % 127 + 1 AS slot
      FROM unnest(?::bigint[], ?::int[], ?::int[], ?::boolean[], ?::boolean[])
        WITH ORDINALITY AS u (key, high, low, held, marked, place)) AS w
WHERE current_setting('io_holdfast.session', true) = ?
