-- The change feed reports what a shared archive needs beside messages, coverage and names; 0004 says why in this way.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
  SET sql = replace(replace(sql, 'what BETWEEN 0 AND 6', 'what BETWEEN 0 AND 9'),
    '6 its files are others (message.id)',
    '6 its files are others, 7 it is not read any more (message.id), 8 a session ended (session.id), 9 members (room.id)')
  WHERE type = 'table' AND name = 'change';
PRAGMA writable_schema = RESET;

-- Here it reports what is stored already.
INSERT INTO change (what, subject_id) SELECT 8, id FROM session WHERE ended_at_us IS NOT NULL ORDER BY id;
INSERT INTO change (what, subject_id) SELECT 9, id FROM room ORDER BY id;
