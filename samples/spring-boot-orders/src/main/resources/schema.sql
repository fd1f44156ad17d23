-- Both instances do this, perhaps at the same time.
SELECT pg_advisory_lock(1);

CREATE TABLE IF NOT EXISTS stock (
  item TEXT PRIMARY KEY,
  left_over INT NOT NULL CHECK (left_over >= 0),
  token BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE IF NOT EXISTS prices (
  item TEXT PRIMARY KEY REFERENCES stock,
  cents INT NOT NULL
);

CREATE TABLE IF NOT EXISTS orders (
  id UUID PRIMARY KEY,
  item TEXT NOT NULL REFERENCES stock,
  quantity INT NOT NULL,
  cents INT NOT NULL,
  taken_by TEXT NOT NULL,
  shipped_by TEXT
);

CREATE TABLE IF NOT EXISTS reports (
  at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  written_by TEXT NOT NULL,
  orders BIGINT NOT NULL
);

INSERT INTO stock (item, left_over)
VALUES ('bread', 100000), ('milk', 100000), ('tea', 100000)
ON CONFLICT DO NOTHING;

INSERT INTO prices (item, cents)
VALUES ('bread', 250), ('milk', 120), ('tea', 300)
ON CONFLICT DO NOTHING;

SELECT pg_advisory_unlock(1);
