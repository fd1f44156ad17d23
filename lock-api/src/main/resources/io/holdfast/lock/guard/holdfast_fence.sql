-- The greatest fencing token that has been at each resource. Compare names exactly: where the default
-- collation folds case or accents, give the column one that does not.
CREATE TABLE holdfast_fence (
  resource VARCHAR(512) NOT NULL PRIMARY KEY,
  token BIGINT NOT NULL
);
