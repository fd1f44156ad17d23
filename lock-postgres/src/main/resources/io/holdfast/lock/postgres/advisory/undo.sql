-- Takes back what a statement that failed may have taken. Parameters: keys bigint[], their halves
-- int[] int[], which were marked before boolean[], and our session mark. No row if another answers.
SELECT pg_advisory_unlock(w.key), pg_advisory_unlock(~w.high, ~w.low),
  CASE WHEN NOT w.marked
    THEN pg_advisory_unlock_shared(w.high, w.low)
      AND pg_advisory_unlock_shared(w.high, w.low # (pg_backend_pid() % 127 + 1))
  END
FROM unnest(?::bigint[], ?::int[], ?::int[], ?::boolean[]) AS w (key, high, low, marked)
WHERE current_setting('io_holdfast.session', true) = ?
