-- Workspaces, whom a direct room is with, rooms that are over, users' pictures, files, and messages as they came.

CREATE TABLE workspace (
  id  INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE                           -- the network's id
) STRICT;

-- What a workspace is or was called. The row without last_seen_us is today's name.
CREATE TABLE workspace_name (
  workspace_id  INTEGER NOT NULL REFERENCES workspace (id),
  first_seen_us INTEGER NOT NULL,                    -- when it was first seen under this name
  last_seen_us  INTEGER,                             -- when it was found to have another; null for today's name
  name          TEXT NOT NULL,
  PRIMARY KEY (workspace_id, first_seen_us)
) STRICT, WITHOUT ROWID;

-- Null on networks without workspaces, and until the room was listed.
ALTER TABLE room ADD COLUMN workspace_id INTEGER REFERENCES workspace (id);
-- Whom a direct room is with; null for other rooms.
ALTER TABLE room ADD COLUMN partner_id INTEGER REFERENCES user (id);
-- Since when it is not listed among ours any more, or the network has it no more; null while it is. Its history stays.
ALTER TABLE room ADD COLUMN left_at_us INTEGER;
ALTER TABLE room ADD COLUMN gone_at_us INTEGER;

-- Where the network has a user's picture, or had. The row without last_seen_us is today's.
CREATE TABLE user_picture (
  user_id       INTEGER NOT NULL REFERENCES user (id),
  first_seen_us INTEGER NOT NULL,                    -- when it was first seen
  last_seen_us  INTEGER,                             -- when there was found to be another, or none; null for today's
  path          TEXT NOT NULL,                       -- as the network gives it
  PRIMARY KEY (user_id, first_seen_us)
) STRICT, WITHOUT ROWID;

-- What the network sent of a message, on networks that send each message by itself.
CREATE TABLE message_raw (
  message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  at_us      INTEGER NOT NULL,                       -- since when the message said this; message_id for the original
  bytes      BLOB NOT NULL,
  PRIMARY KEY (message_id, at_us)
) STRICT, WITHOUT ROWID;

-- Files that came with messages. Their bytes are in the folder attachments/, under their SHA-256.
CREATE TABLE attachment (
  id          INTEGER PRIMARY KEY,
  message_id  INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  path        TEXT NOT NULL,                         -- as the network gives it
  sha256      TEXT,                                  -- of its bytes, in hexadecimal; null while they are not here
  bytes       INTEGER,                               -- how many; null while that is not known
  attempts    INTEGER NOT NULL DEFAULT 0,            -- tries to fetch it so far
  next_try_us INTEGER,                               -- null when nothing will be tried by itself
  error       TEXT,                                  -- why the last try failed, for people
  UNIQUE (message_id, path)
) STRICT;
CREATE INDEX attachment_missing ON attachment (id) WHERE sha256 IS NULL;
