-- Leaves out as many numbers as a crash can have taken back, and notes that it was done. nextval
-- writes its log for 32 numbers ahead, and only the session that wrote it waits for the disk: each
-- other session may have given out some of the 32 before it did. The note is in a table that a crash
-- empties.
WITH skipped AS (
  SELECT count(nextval('holdfast.lock_token')) AS numbers
  FROM generate_series(1, 32 * current_setting('max_connections')::int)
)
INSERT INTO holdfast.since_crash (skipped)
SELECT numbers FROM skipped
WHERE NOT EXISTS (SELECT FROM holdfast.since_crash)
