-- What logs were imported of, which prove nothing of what they lack.

-- Spans of time of which a log was imported, both ends included: its first line to its last. Spans of one room never overlap or
-- touch.
CREATE TABLE imported_span (
  room_id INTEGER NOT NULL REFERENCES room (id),
  from_us INTEGER NOT NULL,
  to_us   INTEGER NOT NULL,
  PRIMARY KEY (room_id, from_us),
  CHECK (to_us >= from_us)
) STRICT, WITHOUT ROWID;

-- Which messages answer one: an export that is continued writes them again when that is edited.
CREATE INDEX message_reply ON message (room_id, reply_to) WHERE reply_to IS NOT NULL;
