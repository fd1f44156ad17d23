-- As advisory-xact-lock.sql, without waiting; null if somebody has the lock.
SELECT CASE WHEN pg_catalog.pg_try_advisory_xact_lock(?) THEN pg_catalog.nextval('holdfast.lock_token') END
