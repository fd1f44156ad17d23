-- Whether our session answers, and has locks. Parameters: our session mark, keys bigint[], how many
-- they are int.
SELECT coalesce(current_setting('io_holdfast.session', true) = ?, false)
  AND (SELECT count(*)
       FROM unnest(?::bigint[]) AS w (key)
         JOIN (SELECT DISTINCT (l.classid::bigint << 32) | l.objid::bigint AS key
               FROM pg_locks l
               WHERE l.pid = pg_backend_pid() AND l.locktype = 'advisory' AND l.objsubid = 1
                 AND l.granted
                 AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
              ) AS held USING (key)) = ?
