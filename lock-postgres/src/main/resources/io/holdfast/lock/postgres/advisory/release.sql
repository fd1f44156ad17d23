-- Releases locks and marks. Parameters: the channel of the namespace, keys bigint[], their halves
-- int[] int[], which are held boolean[], which are marked boolean[], and the mark of our session. No row
-- if another session answers.
-- Answers with the place in the arrays, and whether the lock was ours.
-- A mark that is missing is no reason to keep a lock that is held.
-- Only if somebody has marked that it waits, it is told on the channel.
-- Nothing is sent to a queue of notifications that is nearly full: see transaction/tell.sql.
SELECT w.place,
  CASE
    WHEN w.marked AND NOT pg_advisory_unlock_shared(w.high, w.low) AND NOT w.held THEN false
    WHEN NOT w.held THEN false
    WHEN NOT pg_advisory_unlock(w.key) THEN false
    WHEN NOT pg_try_advisory_lock(w.high, w.low)
    THEN CASE WHEN pg_notification_queue_usage() < 0.9 THEN pg_notify(w.channel, w.key::text) IS NOT NULL
      ELSE true END
    ELSE pg_advisory_unlock(w.high, w.low)
  END
FROM (SELECT u.*, ?::text AS channel
      FROM unnest(?::bigint[], ?::int[], ?::int[], ?::boolean[], ?::boolean[])
        WITH ORDINALITY AS u (key, high, low, held, marked, place)) AS w
WHERE current_setting('io_holdfast.session', true) = ?
