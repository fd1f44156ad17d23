-- Leaves out as many numbers as a crash can have taken back. nextval writes its log for 32 numbers
-- ahead, and only the session that wrote it waits for the disk: each other session may have given
-- out some of the 32 before it did.
SELECT count(nextval('holdfast.lock_token'))
FROM generate_series(1, 32 * current_setting('max_connections')::int)
