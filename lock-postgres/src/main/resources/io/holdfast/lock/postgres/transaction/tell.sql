-- Notifies waiters when the transaction is committed, if there are any. Parameters: the halves of the key, channel,
-- key, start of the transaction in microseconds, whether the commit has to wait for the disk. It fails if that start
-- is not the one of the transaction in which it is carried out; null is any.
--
-- A waiter has marked that it waits by a shared lock (see row/mark.sql), and has asked for the row again after that.
-- The lock that is taken here is kept until the row is free: a waiter cannot leave its mark meanwhile, and asks again.
-- If the server's queue of notifications is full, because a session that listens does not read them, every
-- transaction that has sent one fails at its commit. So nothing is sent when it is nearly full, here and in
-- the other statements that notify: waiters ask again by themselves.
--
-- What a session has drawn has to reach the disk before that session draws again (see lock.sql), whatever the holder
-- has set.
-- Columns: nothing of interest.
-- It is carried out with the search_path of the application, as the others of this folder.
SELECT
  CASE WHEN pg_catalog.pg_try_advisory_xact_lock(?, ?) THEN NULL
    WHEN pg_catalog.pg_notification_queue_usage() OPERATOR(pg_catalog.<) 0.9 THEN pg_catalog.pg_notify(?, ?) END,
  CASE WHEN (extract(epoch FROM pg_catalog.transaction_timestamp()) OPERATOR(pg_catalog.*) 1000000)::bigint
      OPERATOR(pg_catalog.<>) ?::bigint
    THEN pg_catalog.concat('the holder has ended the transaction that held the lock; this one began at ',
      pg_catalog.transaction_timestamp())::int END,
  CASE WHEN ? AND pg_catalog.current_setting('synchronous_commit') OPERATOR(pg_catalog.=) 'off'
    THEN pg_catalog.set_config('synchronous_commit', 'on', true) END
