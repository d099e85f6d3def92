-- What messages said before they were edited, and which were deleted.

-- Contents that a message had before those in message.body. The first is the original, unless an edit was heard of a message
-- that was not there.
CREATE TABLE message_version (
  message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  at_us      INTEGER NOT NULL,                       -- since when it said this; message_id for the original
  body       TEXT,
  PRIMARY KEY (message_id, at_us)
) STRICT, WITHOUT ROWID;

-- Since when it says what is in body; null while that is the original.
ALTER TABLE message ADD COLUMN edited_at_us INTEGER;
-- When it was deleted; null while it is there. Its body stays.
ALTER TABLE message ADD COLUMN deleted_at_us INTEGER;

-- What is left without joins and leaves is most of an account's messages: pages of all rooms pass over them as they come, and
-- searches have an index of their own.
DROP INDEX message_quiet;

-- Who has a name, case aside; and names that are not ASCII, whose case SQLite does not know.
CREATE INDEX user_name_ascii ON user_name (name COLLATE NOCASE);
CREATE INDEX user_name_other ON user_name (user_id, name) WHERE length(name) <> length(CAST(name AS BLOB));

-- The change feed tells of edits and deletes. SQLite documents this way to relax a CHECK (lang_altertable.html, "Making Other
-- Kinds Of Table Schema Changes"): no row is read or written. RESET reads the schema anew; other connections do so because
-- the statements above have counted it up.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
  SET sql = replace(replace(sql, 'what BETWEEN 0 AND 2', 'what BETWEEN 0 AND 4'),
    'or -room.id for a room''s)', 'or -room.id for a room''s),' || char(10)
      || '    -- 3 message edited, 4 message deleted (message.id)')
  WHERE type = 'table' AND name = 'change';
PRAGMA writable_schema = RESET;
