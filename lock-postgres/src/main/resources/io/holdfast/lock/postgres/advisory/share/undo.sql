-- Takes back what a statement that failed may have taken or left, and what it had found, of claims that are alone with
-- their key in this session. Parameters: keys bigint[], their halves int[] int[], and the mark of our session. No row
-- if another answers.
SELECT pg_advisory_unlock(w.key), pg_advisory_unlock_shared(w.key), pg_advisory_unlock_shared(~w.high, ~w.low),
  pg_advisory_unlock(~w.high, w.low), pg_advisory_unlock_shared(~w.high, w.low),
  pg_advisory_unlock(w.high, w.low), pg_advisory_unlock_shared(w.high, w.low)
FROM unnest(?::bigint[], ?::int[], ?::int[]) AS w (key, high, low)
WHERE current_setting('io_holdfast.session', true) = ?
