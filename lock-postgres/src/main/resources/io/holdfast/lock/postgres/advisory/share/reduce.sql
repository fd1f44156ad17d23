-- Makes writers readers, each in one step: it is a reader before it is a writer no more. Parameters: keys bigint[],
-- their halves int[] int[], our session mark, the channel of the namespace. No row if another session answers.
-- Answers with the place in the arrays, and whether the writer was ours. Waiters are told. Nobody can make a writer
-- wait for the other side of its own key; a try would be refused where a transaction waits for the key at the server.
WITH reduced AS MATERIALIZED (
  SELECT u.*,
    CASE WHEN pg_advisory_lock_shared(u.key) IS NOT NULL THEN pg_advisory_unlock(u.key) END AS done
  FROM unnest(?::bigint[], ?::int[], ?::int[]) WITH ORDINALITY AS u (key, high, low, place)
  WHERE current_setting('io_holdfast.session', true) = ?
)
SELECT r.place, r.done,
  CASE
    WHEN pg_try_advisory_lock(r.high, r.low) THEN pg_advisory_unlock(r.high, r.low)
    WHEN pg_notification_queue_usage() < 0.9 THEN pg_notify(c.channel, r.key::text) IS NOT NULL
  END
FROM reduced r, (SELECT ?::text AS channel OFFSET 0) AS c
