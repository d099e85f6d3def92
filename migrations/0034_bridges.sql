-- The bots whose messages are shown as those of the people of another network: `archive bridge`.
CREATE TABLE bridge (
  id        INTEGER PRIMARY KEY,
  bot_id    INTEGER NOT NULL REFERENCES user (id),
  bot       TEXT NOT NULL,                           -- its name, as in the keys of the bridge's people
  pattern   TEXT NOT NULL,                           -- '<{nick}> {text}'
  at_us     INTEGER NOT NULL,                        -- when the bridge was made, by our clock
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)), -- 0 while its messages are being given back
  is_done   INTEGER NOT NULL DEFAULT 0 CHECK (is_done IN (0, 1)), -- 0 while messages are being moved, there or back
  UNIQUE (bot_id, pattern)
) STRICT;

-- 0017 says why message_raw is the last.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
PRAGMA writable_schema = RESET;
