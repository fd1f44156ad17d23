-- As begin.sql, on a connection whose session is known from there: to tell it, the server looks at all its processes.
-- Parameters: the same. Columns: the first three are the same; whether the server shows when transactions begin; and
-- nothing of interest.
SELECT
  (extract(epoch FROM pg_catalog.transaction_timestamp()) OPERATOR(pg_catalog.*) 1000000)::bigint,
  pg_catalog.set_config('application_name',
    pg_catalog.concat('holdfast/', pg_catalog.left(pg_catalog.current_setting('application_name'), 50)), true),
  current_user,
  pg_catalog.current_setting('track_activities') OPERATOR(pg_catalog.=) 'on',
  (SELECT pg_catalog.count(pg_catalog.set_config(s.name, s.value, true))
     FROM unnest(?::pg_catalog.text[], ?::pg_catalog.text[]) AS s (name, value)
     WHERE pg_catalog.current_setting(s.name, true) IS NOT NULL)
