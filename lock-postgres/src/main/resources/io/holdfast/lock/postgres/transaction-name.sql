-- Which name a key stands for, if somebody has told. Parameter: key.
SELECT namespace, name FROM holdfast.advisory_name WHERE key = ?
