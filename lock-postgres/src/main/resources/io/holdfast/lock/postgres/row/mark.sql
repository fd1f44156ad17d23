-- Marks keys for which this session has a waiter, by shared locks of their halves. Parameters: the halves
-- int[] int[], and our session mark. No row if another session answers, as behind a pooler; nothing is
-- marked there.
-- Answers with the place in the arrays, and whether the key is marked. It is not if the row's holder has looked for
-- marks already, and is about to free the row (see transaction/tell.sql).
SELECT w.place, pg_try_advisory_lock_shared(w.high, w.low)
FROM unnest(?::int[], ?::int[]) WITH ORDINALITY AS w (high, low, place)
WHERE current_setting('io_holdfast.session', true) = ?
