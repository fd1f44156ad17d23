-- Whether the sequence of tokens hands out its numbers in order. No row if there is none.
SELECT s.seqcache = 1 AND s.seqincrement > 0 AND NOT s.seqcycle
FROM pg_sequence s WHERE s.seqrelid = to_regclass('holdfast.lock_token')
