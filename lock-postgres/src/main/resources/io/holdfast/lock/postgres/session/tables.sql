-- Whether all that the DDL file makes is there.
SELECT to_regclass('holdfast.lock_token') IS NOT NULL
  AND to_regclass('holdfast.advisory_name') IS NOT NULL
  AND to_regclass('holdfast.table_lock') IS NOT NULL
  AND to_regclass('holdfast.table_share') IS NOT NULL
  AND to_regclass('holdfast.row_lock') IS NOT NULL
  AND to_regclass('holdfast.since_crash') IS NOT NULL
