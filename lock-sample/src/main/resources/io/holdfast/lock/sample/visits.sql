CREATE TABLE session (
  id TEXT PRIMARY KEY,
  visits INT NOT NULL DEFAULT 0
);
CREATE TABLE visit (
  session TEXT NOT NULL REFERENCES session,
  number INT NOT NULL
);
