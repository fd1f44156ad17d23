-- Which transactions are still open. Parameters: processes int[], their starts bigint[], the starts of
-- the transactions bigint[]. Answers with places in the arrays.
SELECT w.place
FROM unnest(?::int[], ?::bigint[], ?::bigint[]) WITH ORDINALITY AS w (pid, started, begun, place)
  JOIN pg_stat_activity a ON a.pid = w.pid
    AND (extract(epoch FROM a.backend_start) * 1000000)::bigint = w.started
    AND (extract(epoch FROM a.xact_start) * 1000000)::bigint = w.begun
