-- Leaves out as many numbers as a crash can have taken back, and notes that it was done. nextval
-- writes its log for 32 numbers ahead, and only the transaction that wrote it waits for the disk when
-- it is committed: others may have given out some of the 32 before. A statement may ask for many locks,
-- and a transaction may lock several times, so it is four times 32 for each connection. The note is in
-- a table that a crash empties.
-- It may be carried out with the search_path of an application (see connect/session.sql).
WITH skipped AS (
  SELECT pg_catalog.count(pg_catalog.nextval('holdfast.lock_token')) AS numbers
  FROM pg_catalog.generate_series(1, 128 OPERATOR(pg_catalog.*) pg_catalog.current_setting('max_connections')::int)
)
INSERT INTO holdfast.since_crash (skipped)
SELECT numbers FROM skipped
WHERE NOT EXISTS (SELECT FROM holdfast.since_crash)
