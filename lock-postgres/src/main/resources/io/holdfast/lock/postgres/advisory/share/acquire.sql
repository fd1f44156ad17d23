-- Asks for the read or the write side. Parameters: keys bigint[], and for each the two halves of the key int[]
-- int[], whether it writes boolean[], whether this session reads already, so that it has the key, boolean[], whether it
-- leaves a place behind if it has to wait boolean[], whether this session has marked already that it waits, and has the
-- turn for it boolean[] boolean[]; our session mark, and the channel of the namespace. No row if another session
-- answers. No key twice.
-- Answers with the place in the arrays, the token if it is granted, whether it is marked now, and has the turn,
-- whether a lock has the name, whether it was only kept out by somebody's look, so that it can ask at once, and whether
-- it reads and was kept out at the turn.
--
-- Four locks of the server, of which others see:
--   key           shared by readers, exclusive for a writer; exclusive for a lock (1 of 1)
--   (~high, ~low) shared by readers and writers, taken before the key and given back after it: a lock has none
--   (~high, low)  the turn: shared by a reader, exclusive by a writer, for a moment by one that asks, and for as
--                 long as it waits by one that waits. So who waits is not overtaken by those who come later, and
--                 is asked nothing of when it is served
--   (high, low)   shared by all that wait. A session that is granted the key or gives it back looks for it afterwards,
--                 and we mark before we try, so one of the two sees the other. A session that passes the turn
--                 on without a grant has found the key taken, and its release will tell; or has told just before, and
--                 then one that missed the turn by this asks again at its next poll
-- Each step uses the result of the step before, so they are taken in this order. A lock has the name if a session has
-- the key exclusively and not what readers and writers have; that is read when nothing is kept from others any more.
-- A session that has the turn keeps it, also when a look at (~high, ~low) is in the way.
WITH asked AS MATERIALIZED (
  SELECT u.*
  FROM unnest(?::bigint[], ?::int[], ?::int[], ?::boolean[], ?::boolean[], ?::boolean[], ?::boolean[], ?::boolean[])
    WITH ORDINALITY AS u (key, high, low, writes, reads, stays, marked, turn, place)
  WHERE current_setting('io_holdfast.session', true) = ?
), marking AS MATERIALIZED (
  SELECT a.*, CASE WHEN a.stays AND NOT a.marked THEN pg_try_advisory_lock_shared(a.high, a.low) ELSE true END AS noted
  FROM asked a
), entering AS MATERIALIZED (
  SELECT w.*,
    CASE
      WHEN NOT w.noted THEN false
      WHEN w.reads THEN true
      ELSE pg_try_advisory_lock_shared(~w.high, ~w.low)
    END AS used
  FROM marking w
), turning AS MATERIALIZED (
  SELECT u.*,
    CASE
      WHEN NOT u.used THEN false
      WHEN u.turn THEN true
      WHEN u.writes THEN pg_try_advisory_lock(~u.high, u.low)
      ELSE pg_try_advisory_lock_shared(~u.high, u.low)
    END AS passed
  FROM entering u
), taking AS MATERIALIZED (
  SELECT p.*,
    CASE
      WHEN NOT p.passed THEN false
      WHEN p.reads THEN true
      WHEN p.writes THEN pg_try_advisory_lock(p.key)
      ELSE pg_try_advisory_lock_shared(p.key)
    END AS granted
  FROM turning p
), numbering AS MATERIALIZED (
  SELECT j.*, CASE WHEN j.granted THEN nextval('holdfast.lock_token') END AS token FROM taking j
), leaving AS MATERIALIZED (
  SELECT n.*,
    CASE WHEN n.used AND NOT n.granted AND NOT n.reads THEN pg_advisory_unlock_shared(~n.high, ~n.low) END AS unused,
    CASE
      WHEN NOT n.passed OR (n.stays AND NOT n.granted) THEN false
      WHEN n.writes THEN pg_advisory_unlock(~n.high, n.low)
      ELSE pg_advisory_unlock_shared(~n.high, n.low)
    END AS passed_on,
    CASE WHEN n.stays AND n.noted AND n.granted THEN pg_advisory_unlock_shared(n.high, n.low) END AS served
  FROM numbering n
)
SELECT o.place, o.token, o.stays AND o.noted AND NOT o.granted, o.stays AND (o.passed OR o.turn) AND NOT o.granted,
  CASE
    WHEN o.granted OR o.stays OR NOT o.passed THEN false
    ELSE EXISTS (
      SELECT FROM pg_locks l
      WHERE l.locktype = 'advisory' AND l.granted
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (l.classid::bigint << 32) | l.objid::bigint = CASE l.objsubid WHEN 1 THEN o.key ELSE ~o.key END
        AND (l.objsubid = 2 OR l.mode = 'ExclusiveLock')
      GROUP BY l.pid
      HAVING max(l.objsubid) = 1)
  END,
  NOT o.used, o.used AND NOT o.passed AND NOT o.writes, o.unused, o.served,
  CASE
    WHEN NOT (o.granted AND o.passed_on) THEN NULL
    WHEN pg_try_advisory_lock(o.high, o.low) THEN pg_advisory_unlock(o.high, o.low)
    WHEN pg_notification_queue_usage() < 0.9 THEN pg_notify(c.channel, o.key::text) IS NOT NULL
  END
FROM leaving o, (SELECT ?::text AS channel OFFSET 0) AS c
