-- Asks for locks. Parameters: keys bigint[], and for each the two halves of the key int[] int[], and
-- whether this session has marked already that it waits boolean[], and whether it waits boolean[]; and
-- our session mark.
-- No row if another session answers, as behind a pooler; nothing is taken there.
-- Answers with the place in the arrays, and a token:
--   positive: granted
--   negative: granted, and marked on the way
--   0: somebody else has it, and it is marked that we wait, if we do
--   null: somebody else has it, and it could not be marked, because it is just being released
--   -2^53: readers or a writer have it (see share/acquire.sql)
-- The token is drawn for each row after its grant. The mark is a shared lock; whoever releases looks
-- for it after unlocking, and we try again after marking, so one of the two sees the other. A second
-- mark says who waits (see release.sql).
SELECT w.place,
  CASE
    WHEN pg_try_advisory_lock(w.key) THEN nextval('holdfast.lock_token')
    WHEN w.marked THEN 0
    WHEN CASE
        WHEN pg_try_advisory_lock(~w.high, ~w.low) THEN NOT pg_advisory_unlock(~w.high, ~w.low)
        ELSE EXISTS (
          SELECT FROM pg_locks l
          WHERE l.locktype = 'advisory' AND l.granted
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND (l.classid::bigint << 32) | l.objid::bigint = CASE l.objsubid WHEN 1 THEN w.key ELSE ~w.key END
          GROUP BY l.pid
          HAVING count(DISTINCT l.objsubid) = 2)
      END
    THEN -9007199254740992
    WHEN NOT w.waits THEN 0
    WHEN NOT pg_try_advisory_lock_shared(w.high, w.low) THEN NULL
    WHEN NOT pg_try_advisory_lock_shared(w.high, w.low # (pg_backend_pid() % 127 + 1))
    THEN CASE WHEN pg_advisory_unlock_shared(w.high, w.low) THEN NULL::bigint END
    WHEN pg_try_advisory_lock(w.key) THEN -nextval('holdfast.lock_token')
    ELSE 0
  END
FROM unnest(?::bigint[], ?::int[], ?::int[], ?::boolean[], ?::boolean[])
  WITH ORDINALITY AS w (key, high, low, marked, waits, place)
WHERE current_setting('io_holdfast.session', true) = ?
