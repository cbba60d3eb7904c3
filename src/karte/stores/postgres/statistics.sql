-- What the planner is told at the start, by rows that are gone again: nearly all rows of a table may be of one owner, and
-- numbers, keys and names tell them apart. Without, it takes each table for a small one and finds every index as good as
-- any other, until the server has gathered statistics by itself. Only columns that queries search by differ.

INSERT INTO karte.memory
SELECT -1, 1, i, 'i' || i, int8send(i), int8send(i), CASE WHEN i % 100 = 0 THEN 'note' ELSE 'semantic' END, '', false,
    NULL, NULL, 'c' || i % 20, NULL, NULL, NULL, CASE WHEN i % 2 = 0 THEN 's' || i / 4 END, CASE WHEN i % 2 = 0 THEN 'p' || i % 50 END,
    CASE WHEN i % 2 = 0 THEN 'o' || i / 3 END, i / 2, i, to_timestamp(i), NULL
FROM generate_series(1, 1000) AS i;

INSERT INTO karte.source SELECT -1, i, '', 'c' || i FROM generate_series(1, 1000) AS i;

INSERT INTO karte.assertion
SELECT -1, 1, i, int8send(i), i / 4, 't' || i, to_timestamp(i), to_timestamp(i % 2000), 'infinity', 0,
    to_timestamp(i), NULL, '', '', 0, NULL, NULL, NULL, NULL, NULL, NULL, 'e' || i / 20, 'k' || i % 100, NULL, NULL, NULL
FROM generate_series(1, 1000) AS i;

INSERT INTO karte.derivation
SELECT -1, 1, int8send(i / 2), i, int8send(i) FROM generate_series(1, 1000) AS i;

INSERT INTO karte.dependency
SELECT -1, 1, int8send(i / 2), i, int8send(i) FROM generate_series(1, 1000) AS i;

INSERT INTO karte.link
SELECT -1, 1, int8send(i), 'k' || i % 4, 'l' || i, 'r' || i, i, '', 'epoch', 0, 'epoch'
FROM generate_series(1, 1000) AS i;

INSERT INTO karte.withdrawal
SELECT -1, 1, int8send(i), i, '', 0, '', '', 'epoch' FROM generate_series(1, 1000) AS i;

INSERT INTO karte.segment
SELECT -1, 1, i / 4, false, to_timestamp(i), to_timestamp(i + 1), i, NULL, 0, 'epoch', 'epoch', 0, 0, 0
FROM generate_series(1, 1000) AS i;

INSERT INTO karte.document SELECT -1, 1, i, 1, '', '' FROM generate_series(1, 1000) AS i;
INSERT INTO karte.posting SELECT -1, 1, i, i % 5, '', '' FROM generate_series(1, 1000) AS i;
INSERT INTO karte.band SELECT -1, 1, i, i FROM generate_series(1, 1000) AS i;
INSERT INTO karte.likeness SELECT -1, 1, i / 2, i, '' FROM generate_series(1, 1000) AS i;
INSERT INTO karte.receipt SELECT -1, 1, 'k' || i, '', '', i, int8send(i) FROM generate_series(1, 1000) AS i;
INSERT INTO karte.usage SELECT -1, 1, i, 1, 'epoch' FROM generate_series(1, 1000) AS i;
INSERT INTO karte.archived SELECT -1, 1, i, 'epoch' FROM generate_series(1, 1000) AS i;
INSERT INTO karte.review
SELECT -1, 1, 'r' || i, '', '', i, '', i / 4, '', '', to_timestamp(i), to_timestamp(i), '', NULL, 's' || i % 4, NULL, NULL
FROM generate_series(1, 1000) AS i;

INSERT INTO karte.burst
SELECT -1, 1, int8send(i / 4), int8send(i), to_timestamp(i), i FROM generate_series(1, 1000) AS i;

INSERT INTO karte.vector SELECT -1, 1, 1, i, '[0]' FROM generate_series(1, 1000) AS i;

ANALYZE karte.memory, karte.source, karte.assertion, karte.derivation, karte.dependency, karte.link, karte.withdrawal,
    karte.segment, karte.document, karte.posting, karte.band, karte.likeness, karte.receipt, karte.usage, karte.archived,
    karte.review, karte.burst, karte.vector;

-- In a subtransaction the tables get new files, and count as never analysed in size, though not in what they hold.
SAVEPOINT gone;
TRUNCATE karte.memory, karte.source, karte.assertion, karte.derivation, karte.dependency, karte.link, karte.withdrawal,
    karte.segment, karte.document, karte.posting, karte.band, karte.likeness, karte.receipt, karte.usage, karte.archived,
    karte.review, karte.burst, karte.vector;
RELEASE SAVEPOINT gone;
