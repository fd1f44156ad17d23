-- Wakes waiters when the transaction is committed. Parameters: channel, key, start of the transaction in
-- microseconds. It fails if that is not the start of the transaction in which it is carried out; null is any.
-- If the server's queue of notifications is full, because a session that listens does not read them, every
-- transaction that has sent one fails at its commit. So nothing is sent when it is nearly full, here and in
-- the other statements that notify: waiters ask again by themselves.
-- Columns: nothing of interest.
-- It is carried out with the search_path of the application, as the others of this folder.
SELECT
  CASE WHEN pg_catalog.pg_notification_queue_usage() OPERATOR(pg_catalog.<) 0.9 THEN pg_catalog.pg_notify(?, ?) END,
  CASE WHEN (extract(epoch FROM pg_catalog.transaction_timestamp()) OPERATOR(pg_catalog.*) 1000000)::bigint
      OPERATOR(pg_catalog.<>) ?::bigint
    THEN pg_catalog.concat('the holder has ended the transaction that held the lock; this one began at ',
      pg_catalog.transaction_timestamp())::int END
