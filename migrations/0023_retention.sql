-- What was removed by rules or forgotten, and what must stay.

-- The ledger: what was removed from a room, without its content.
CREATE TABLE purge (
  id       INTEGER PRIMARY KEY,
  room_id  INTEGER REFERENCES room (id),             -- null for raw bytes, which rules remove from the whole account
  what     INTEGER NOT NULL CHECK (what BETWEEN 0 AND 3), -- 0 messages, 1 joins and the like, 2 raw bytes, 3 files
  rule     TEXT NOT NULL,                            -- as the configuration has it; 'forget' for what was forgotten
  kept_us  INTEGER,                                  -- the age at which the rule removes; null for what was forgotten
  first_us INTEGER NOT NULL,                         -- message.id of the first that was removed
  last_us  INTEGER NOT NULL,                         -- and of the last
  count    INTEGER NOT NULL CHECK (count > 0),       -- how many were removed
  at_us    INTEGER NOT NULL,                         -- when the last of them was removed, by our clock
  CHECK (first_us <= last_us)
) STRICT;
CREATE INDEX purge_room ON purge (room_id, what, last_us);

-- What neither rules nor forgetting may remove.
CREATE TABLE hold (
  name      TEXT PRIMARY KEY,                        -- as its owner calls it
  room_id   INTEGER REFERENCES room (id),            -- null for all rooms
  from_us   INTEGER,                                 -- the first instant that is held; null for all before to_us
  to_us     INTEGER,                                 -- the first instant that is not; null for all from from_us on
  reason    TEXT,                                    -- for people; null if none was given
  set_at_us INTEGER NOT NULL,                        -- when it was set, by our clock
  CHECK (from_us < to_us)
) STRICT;

-- Rules that have been applied before: a new one that would remove much waits for its owner.
CREATE TABLE applied_rule (
  rule        TEXT PRIMARY KEY,                      -- as in purge
  first_at_us INTEGER NOT NULL                       -- when it was applied first, by our clock
) STRICT;

-- Forgotten messages, so that they are not stored again: keyed hashes, from which nothing can be read.
CREATE TABLE forgotten (
  digest BLOB PRIMARY KEY                            -- 16 bytes; ForgottenDigests says of what
) STRICT, WITHOUT ROWID;

-- The key of these hashes.
CREATE TABLE forgotten_key (
  id      INTEGER PRIMARY KEY CHECK (id = 1),
  key     BLOB NOT NULL,                             -- 32 random bytes, as in the catalog
  digests INTEGER NOT NULL DEFAULT 0,                -- rows of forgotten
  scrub   INTEGER NOT NULL DEFAULT 0 CHECK (scrub BETWEEN 0 AND 3)
    -- the file may still have traces: 1 the index is to be merged, 2 it is being merged, 3 unused pages are left; 0 it is clean
) STRICT;

-- Contents whose bytes may still be in attachments/, to be deleted from there.
CREATE TABLE content_gone (
  sha256 TEXT PRIMARY KEY                            -- as in content
) STRICT, WITHOUT ROWID;
CREATE TRIGGER content_gone AFTER DELETE ON content BEGIN
  INSERT INTO content_gone (sha256) VALUES (OLD.sha256) ON CONFLICT DO NOTHING;
END;

-- A file may have been removed by a rule, and the change feed reports what was removed; 0004 says why in this way.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
  SET sql = replace(replace(sql, 'state BETWEEN 0 AND 4', 'state BETWEEN 0 AND 5'),
    'so never asked for', 'so never asked for, 5 removed by a rule')
  WHERE type = 'table' AND name = 'file';
UPDATE sqlite_schema
  SET sql = replace(replace(sql, 'what BETWEEN 0 AND 9', 'what BETWEEN 0 AND 12'),
    '9 members (room.id)', '9 members (room.id), 10 something was removed (purge.id), 11 a message is forgotten (message.id), 12 a user (user.id)')
  WHERE type = 'table' AND name = 'change';
PRAGMA writable_schema = RESET;

DROP VIEW files;
CREATE VIEW files AS SELECT
  a.id,                                              -- order of the files of a message
  a.message_id,                                      -- messages.id
  f.path,                                            -- as the network or the import gives it
  CASE f.state WHEN 0 THEN iif(f.error IS NULL, 'missing', 'failed') WHEN 1 THEN 'here' WHEN 2 THEN 'too_large'
    WHEN 3 THEN 'gone' WHEN 4 THEN 'elsewhere' WHEN 5 THEN 'expired' END
    AS state,                                        -- a word
  ifnull(c.bytes, ifnull(f.bytes, a.bytes))
    AS bytes,                                        -- how many; null while that is not known
  f.sha256,                                          -- of its bytes; null while they are not here
  f.error,                                           -- why the last try failed, for people
  strftime('%Y-%m-%dT%H:%M:%S', f.tried_at_us / 1000000 - (f.tried_at_us % 1000000 < 0), 'unixepoch')
      || printf('.%06dZ', f.tried_at_us % 1000000 + 1000000 * (f.tried_at_us % 1000000 < 0))
    AS tried_at                                      -- when it was tried last, or came; null when it never was
FROM attachment AS a JOIN file AS f ON f.id = a.file_id LEFT JOIN content AS c ON c.sha256 = f.sha256;

-- 0017 says why message_raw is the last.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
PRAGMA writable_schema = RESET;
