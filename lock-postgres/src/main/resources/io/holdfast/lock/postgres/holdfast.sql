-- What Holdfast needs in a database. Run it as it is, make it a migration of Flyway or Liquibase, or
-- have Holdfast run it with the setting create-schema=true. For another schema, replace "holdfast"
-- before the dots and in CREATE SCHEMA, and set the setting schema to match.
--
-- One application per schema: roles that have privileges in the same schema can take and free each
-- other's locks. The role that takes locks needs these privileges and no others, by the provider
-- (TransactionLocks: as postgres-advisory):
--
--   postgres-advisory:
--     GRANT USAGE ON SCHEMA holdfast TO app;
--     GRANT USAGE ON SEQUENCE holdfast.lock_token TO app;
--     GRANT SELECT, INSERT ON holdfast.since_crash TO app;
--     GRANT SELECT, INSERT, UPDATE, DELETE ON holdfast.advisory_name TO app;
--   postgres-table:
--     GRANT USAGE ON SCHEMA holdfast TO app;
--     GRANT USAGE ON SEQUENCE holdfast.lock_token TO app;
--     GRANT SELECT, INSERT ON holdfast.since_crash TO app;
--     GRANT SELECT, INSERT, UPDATE, DELETE ON holdfast.table_lock, holdfast.table_share TO app;
--   postgres-row:
--     GRANT USAGE ON SCHEMA holdfast TO app;
--     GRANT USAGE ON SEQUENCE holdfast.lock_token TO app;
--     GRANT SELECT, INSERT ON holdfast.since_crash TO app;
--     GRANT SELECT, INSERT, UPDATE, DELETE ON holdfast.row_lock TO app;
--
-- If it is to run this file itself (create-schema=true), it needs instead, as it owns what it makes:
--   GRANT CREATE ON DATABASE postgres TO app;

CREATE SCHEMA IF NOT EXISTS holdfast;

-- Fencing tokens, of all locks together. It must have no cache: a session that keeps numbers back
-- would give out small ones late.
CREATE SEQUENCE IF NOT EXISTS holdfast.lock_token AS bigint MAXVALUE 9007199254740991 CACHE 1;

-- Whether numbers were left out since the server last crashed, which empties this table: see
-- session/token-skip.sql.
CREATE UNLOGGED TABLE IF NOT EXISTS holdfast.since_crash (skipped bigint NOT NULL);

-- postgres-advisory: which name a key of 64 bits stands for, so that two names of one key are found
-- out. Not logged: after a crash no lock is held, and every client tells its names again.
CREATE UNLOGGED TABLE IF NOT EXISTS holdfast.advisory_name (
  key bigint PRIMARY KEY,
  namespace text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  seen_at timestamptz NOT NULL
);

-- postgres-table: one row for each lock. A free lock has no owner; its row goes a minute later. An attempt that is
-- refused sets wanted_until as a note; a release that comes before that time notifies.
CREATE TABLE IF NOT EXISTS holdfast.table_lock (
  namespace text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  owner text COLLATE "C",
  token bigint NOT NULL,
  expires_at timestamptz NOT NULL,
  wanted_until timestamptz NOT NULL,
  PRIMARY KEY (namespace, name)
) WITH (fillfactor = 50);

-- postgres-table: who holds permits of a name that several share, or waits for them (token 0), one row each. The
-- name's own row in table_lock has "shares of N" in the place of an owner, where N is the capacity, and ends when
-- the last of these rows does.
CREATE TABLE IF NOT EXISTS holdfast.table_share (
  namespace text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  permits int NOT NULL,
  token bigint NOT NULL,
  since bigint NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (namespace, name, owner),
  FOREIGN KEY (namespace, name) REFERENCES holdfast.table_lock ON DELETE CASCADE
) WITH (fillfactor = 50);

-- postgres-row: a row for each lock, to be locked by transactions. It holds nothing, and goes a minute
-- later unless it is locked.
CREATE TABLE IF NOT EXISTS holdfast.row_lock (
  namespace text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  made_at timestamptz NOT NULL,
  PRIMARY KEY (namespace, name)
);
