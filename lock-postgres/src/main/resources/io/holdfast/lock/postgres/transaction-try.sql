-- The same without waiting; null if somebody has the lock.
SELECT CASE WHEN pg_try_advisory_xact_lock(?) THEN nextval('holdfast.lock_token') END
