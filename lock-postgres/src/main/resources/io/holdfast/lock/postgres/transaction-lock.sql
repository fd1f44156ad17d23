-- A lock until the end of the caller's transaction. Parameter: key. The
-- token is drawn after the grant.
SELECT CASE WHEN pg_advisory_xact_lock(?) IS NOT NULL THEN nextval('holdfast.lock_token') END
