-- Draws tokens. Parameter: how many.
SELECT nextval('holdfast.lock_token') FROM generate_series(1, ?)
