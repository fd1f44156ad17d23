-- A lock until the end of the caller's transaction. Parameter: key. The
-- token is drawn after the grant.
SELECT CASE WHEN pg_catalog.pg_advisory_xact_lock(?) IS NOT NULL THEN pg_catalog.nextval('holdfast.lock_token') END
