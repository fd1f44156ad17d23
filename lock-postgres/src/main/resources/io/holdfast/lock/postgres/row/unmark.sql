-- Takes marks back. Parameters: the halves of their keys int[] int[], and our session mark. No row if
-- another session answers.
SELECT pg_advisory_unlock_shared(w.high, w.low)
FROM unnest(?::int[], ?::int[]) AS w (high, low)
WHERE current_setting('io_holdfast.session', true) = ?
