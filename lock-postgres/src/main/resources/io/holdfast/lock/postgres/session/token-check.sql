-- Whether the sequence of tokens hands out its numbers in order, and whether enough of them were left
-- out since the server last crashed. No row if there is no sequence.
SELECT s.seqcache = 1 AND s.seqincrement > 0 AND NOT s.seqcycle,
  EXISTS (SELECT FROM holdfast.since_crash)
FROM pg_sequence s WHERE s.seqrelid = to_regclass('holdfast.lock_token')
