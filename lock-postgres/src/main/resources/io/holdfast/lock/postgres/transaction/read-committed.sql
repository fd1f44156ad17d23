-- The beginning of a transaction that is to lock something. With another default, it would go on seeing
-- what was there before the lock was granted, and nothing that the holder before it has committed.
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
