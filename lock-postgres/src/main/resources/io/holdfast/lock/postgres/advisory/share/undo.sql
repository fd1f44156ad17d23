-- Takes back what a statement that failed may have taken, or was to give back. Parameters: keys bigint[], their halves
-- int[] int[], whether the key is taken back, as nobody else of this session has it boolean[], whether a mark and the
-- turn are, as nobody else of this session waits for it boolean[], and our session mark. No row if another
-- answers. Each is there once at most, and what is not there does no harm.
SELECT
  CASE WHEN w.held THEN pg_advisory_unlock(w.key) END,
  CASE WHEN w.held THEN pg_advisory_unlock_shared(w.key) END,
  CASE WHEN w.held THEN pg_advisory_unlock_shared(~w.high, ~w.low) END,
  CASE WHEN w.waits THEN pg_advisory_unlock(~w.high, w.low) END,
  CASE WHEN w.waits THEN pg_advisory_unlock_shared(~w.high, w.low) END,
  CASE WHEN w.waits THEN pg_advisory_unlock_shared(w.high, w.low) END,
  pg_advisory_unlock(w.high, w.low)
FROM unnest(?::bigint[], ?::int[], ?::int[], ?::boolean[], ?::boolean[]) AS w (key, high, low, held, waits)
WHERE current_setting('io_holdfast.session', true) = ?
