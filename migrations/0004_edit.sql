-- The networks' ids of edits, where an edit is an event of its own that can be removed alone.
CREATE TABLE edit (
  message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,  -- the message that it changed
  remote_id  TEXT NOT NULL,                          -- the network's id of the edit
  at_us      INTEGER,                                -- since when the message had its text; null once the edit was removed
  files      TEXT,                                   -- JSON list of the paths that the message has only from edits; null for none
  PRIMARY KEY (message_id, remote_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX edit_remote ON edit (remote_id);
