-- Ends a session of ours and waits until it is gone. Parameters: how long to wait in milliseconds,
-- the process, its start in microseconds, the number of the role that logged in. False if it is still there,
-- or may be: one whose start is not shown may also be another's of that role, and is not ended. Roles are
-- shown to all; what the server does for itself has none.
SELECT coalesce(bool_and(CASE WHEN backend_start IS NULL THEN false ELSE pg_terminate_backend(pid, ?) END), true)
FROM pg_stat_activity
WHERE pid = ? AND coalesce((extract(epoch FROM backend_start) * 1000000)::bigint = ?, usesysid::bigint = ?)
