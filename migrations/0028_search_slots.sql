-- The search index names most messages by a short number, which makes it a third smaller: FTS5 stores for each word of a message how
-- far its rowid is from the last one. docs/schema.md has the rules, by which message_search_text gives each message its number.
CREATE TABLE search_slot (
  slot  INTEGER PRIMARY KEY,                         -- ids divided by 2^18: a quarter of a second
  first INTEGER NOT NULL                             -- of its messages, the one that was indexed first: its number is the slot's
) STRICT;

DROP VIEW message_search_text;
CREATE VIEW message_search_text AS SELECT
  id,                                                -- rowid of an index by earlier versions
  iif(id < 0, id, iif(id < 1 << 54 AND ifnull((SELECT first FROM search_slot WHERE slot = id >> 18), id) = id,
    id >> 18, id + (1 << 36))) AS number,            -- rowid of message_search
  body AS text,                                      -- as it is in message; the index has its words
  NULL AS chars,                                     -- of the other columns there are only words
  NULL AS facets
FROM message
WHERE noise = 0;

-- For other programs: the messages that the index finds.
CREATE VIEW hits AS SELECT
  m.id,                                              -- message.id
  words                                              -- for conditions: words MATCH 'text : coffee'
FROM (SELECT message_search AS words, rowid AS number, iif(rowid BETWEEN 0 AND (1 << 36) - 1, 18, 0) AS bits,
    -- In an index by an earlier version, the id is the rowid.
    iif(rowid < 1 << 36 OR (SELECT analyser FROM search_index WHERE name = 'message_search') < 3, 0, 1 << 36) AS added
  FROM message_search) AS s
  JOIN message AS m ON m.id BETWEEN (number - added) << bits AND ((number - added) << bits) + (1 << bits) - 1
    AND m.noise = 0 AND m.id = ifnull((SELECT first FROM search_slot WHERE slot = number), m.id);

-- The index of a new file. An earlier one is replaced by another, made beside it.
UPDATE search_index SET analyser = 3 WHERE NOT EXISTS (SELECT 1 FROM message);
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'content_rowid = ''id''', 'content_rowid = ''number''')
  WHERE name = 'message_search' AND NOT EXISTS (SELECT 1 FROM message);
-- 0017 says why message_raw is the last.
UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
PRAGMA writable_schema = RESET;
