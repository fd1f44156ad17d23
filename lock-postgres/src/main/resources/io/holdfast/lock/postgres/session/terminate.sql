-- Ends a session of ours and waits until it is gone. Parameters: how long to wait in milliseconds,
-- the process, its start in microseconds. False if it is still there.
SELECT coalesce(bool_and(pg_terminate_backend(pid, ?)), true)
FROM pg_stat_activity
WHERE pid = ? AND (extract(epoch FROM backend_start) * 1000000)::bigint = ?
