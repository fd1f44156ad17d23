-- Wakes waiters when the transaction is committed. Parameters: channel, key.
-- Columns: nothing of interest, start of the transaction in microseconds.
SELECT pg_notify(?, ?), (extract(epoch FROM transaction_timestamp()) * 1000000)::bigint
