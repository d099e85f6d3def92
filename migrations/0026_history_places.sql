-- Where an interrupted fetch of a room's history continues, on a network that gives places in its history.
CREATE TABLE history_place (
  room_id INTEGER NOT NULL REFERENCES room (id),
  end_us  INTEGER NOT NULL,                          -- everything from the place up to this time is stored
  place   TEXT NOT NULL,                             -- the network's own; the history before it is still to be fetched
  PRIMARY KEY (room_id, end_us)
) STRICT, WITHOUT ROWID;

-- The messages of each room that could not be read.
CREATE INDEX message_encrypted ON message (room_id)
  WHERE flags & 1024 != 0 AND body IS NULL AND deleted_at_us IS NULL;

-- 0017 says why message_raw is the last.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
PRAGMA writable_schema = RESET;
