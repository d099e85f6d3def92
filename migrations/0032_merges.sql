-- People and rooms that turned out to be one: `archive merge`.

-- Each merge of a person or a room into another. Events of the merged one's key go to the other.
CREATE TABLE merge (
  id        INTEGER PRIMARY KEY,
  what      INTEGER NOT NULL CHECK (what BETWEEN 0 AND 1), -- 0 people, 1 rooms
  from_id   INTEGER NOT NULL,                        -- user.id or room.id of the merged one, whose row stays for its key
  chosen_id INTEGER NOT NULL,                        -- the one into which it was merged
  into_id   INTEGER NOT NULL,                        -- the same, or the one into which that was merged later
  at_us     INTEGER NOT NULL,                        -- when, by our clock
  is_done   INTEGER NOT NULL DEFAULT 0 CHECK (is_done IN (0, 1)), -- 0 while messages are being moved, there or back
  UNIQUE (what, from_id)
) STRICT;

-- The messages that a merge moved, until `archive compact`: without these rows, it can't be undone.
CREATE TABLE merge_message (
  merge_id   INTEGER NOT NULL REFERENCES merge (id) ON DELETE CASCADE,
  message_id INTEGER NOT NULL,                       -- may be gone
  is_marked  INTEGER NOT NULL,                       -- 1 if the merge marked it as read on arrival
  PRIMARY KEY (merge_id, message_id)
) STRICT, WITHOUT ROWID;

-- The other rows that a merge moved or replaced, also until `archive compact`.
CREATE TABLE merge_row (
  id       INTEGER PRIMARY KEY,                      -- order of the changes
  merge_id INTEGER NOT NULL REFERENCES merge (id) ON DELETE CASCADE,
  source   TEXT NOT NULL,                            -- the table
  was      TEXT,                                     -- the row's columns before, as a JSON array; null for an added row
  now      TEXT                                      -- and afterwards; null for a removed row
) STRICT;
CREATE INDEX merge_row_merge ON merge_row (merge_id);

-- The change feed reports what merges change, for shared archives; 0004 says why in this way.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
  SET sql = replace(replace(sql, 'what BETWEEN 0 AND 12', 'what BETWEEN 0 AND 14'),
    '12 a user (user.id)', '12 a user (user.id), 13 a merge moved a message (message.id),'
      || char(10) || '    -- 14 a merge changed it (user.id, or -room.id)')
  WHERE type = 'table' AND name = 'change';
-- 0017 says why message_raw is the last.
UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
PRAGMA writable_schema = RESET;
