-- Answers and reactions; why history is missing, and why rooms are not heard.

-- Why a gap could not be filled: 'refused', 'limit', ...; null where it was not tried, or nothing said so.
ALTER TABLE gap_note ADD COLUMN unfilled TEXT;
-- The same for people: the server's words.
ALTER TABLE gap_note ADD COLUMN detail TEXT;

-- What is amiss with a room, at most one of each kind; what is over has no row.
CREATE TABLE room_trouble (
  room_id     INTEGER NOT NULL REFERENCES room (id),
  about       INTEGER NOT NULL CHECK (about BETWEEN 0 AND 1),  -- 0 it can't be joined, 1 its history can't be had
  reason      TEXT NOT NULL,                         -- 'invite_only', ...; of history as gap_note.unfilled
  detail      TEXT,                                  -- the server's words
  since_us    INTEGER NOT NULL,                      -- when it was first so
  next_try_us INTEGER,                               -- null when nothing will be tried by itself
  PRIMARY KEY (room_id, about)
) STRICT, WITHOUT ROWID;

-- The network's id of the message that it answers, in the same room; null where it answers none.
ALTER TABLE message ADD COLUMN reply_to TEXT;

-- Who reacted to a message, with what. The message is known by the network's id of it, and may come later than this.
CREATE TABLE reaction (
  room_id       INTEGER NOT NULL REFERENCES room (id),
  remote_id     TEXT NOT NULL,                       -- the message's
  user_id       INTEGER NOT NULL REFERENCES user (id),  -- who reacted
  text          TEXT NOT NULL,                       -- with what, an emoji as a rule
  at_us         INTEGER NOT NULL,                    -- when last, by the network where it tells
  removed_at_us INTEGER,                             -- when it was taken back; null while it stands
  PRIMARY KEY (room_id, remote_id, user_id, text)
) STRICT, WITHOUT ROWID;

-- The change feed tells of reactions; 0004 says why in this way.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
  SET sql = replace(replace(sql, 'what BETWEEN 0 AND 4', 'what BETWEEN 0 AND 5'),
    '4 message deleted (message.id)', '4 message deleted, 5 its reactions are others (message.id)')
  WHERE type = 'table' AND name = 'change';
PRAGMA writable_schema = RESET;
