-- The view reads one message for each hit, also where many messages lie in one slot.
DROP VIEW hits;
CREATE VIEW hits AS SELECT
  m.id,                                              -- message.id
  words                                              -- for conditions: words MATCH 'text : coffee'
FROM (SELECT message_search AS words, rowid AS number, (SELECT first FROM search_slot WHERE slot = message_search.rowid) AS first,
    iif(rowid BETWEEN 0 AND (1 << 36) - 1, 18, 0) AS bits,
    -- In an index by an earlier version, the id is the rowid.
    iif(rowid < 1 << 36 OR (SELECT analyser FROM search_index WHERE name = 'message_search') < 3, 0, 1 << 36) AS added
  FROM message_search) AS s
  JOIN message AS m ON m.id BETWEEN ifnull(first, (number - added) << bits)
    AND ifnull(first, ((number - added) << bits) + (1 << bits) - 1) AND m.noise = 0 AND m.id >> bits = number - added;

-- 0017 says why message_raw is the last.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
PRAGMA writable_schema = RESET;
