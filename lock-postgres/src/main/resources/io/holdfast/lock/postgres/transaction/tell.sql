-- Wakes waiters when the transaction is committed. Parameters: channel, key.
-- Columns: nothing of interest, start of the transaction in microseconds.
SELECT pg_catalog.pg_notify(?, ?),
  (extract(epoch FROM pg_catalog.transaction_timestamp()) OPERATOR(pg_catalog.*) 1000000)::bigint
