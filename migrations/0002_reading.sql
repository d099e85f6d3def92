-- How far a person has read, who was heard in a room, and journals that are aged away.

-- How far a room has been read. A message is unread when its id is later than through_us or it was stored after seq.
CREATE TABLE read_marker (
  room_id    INTEGER PRIMARY KEY REFERENCES room (id),
  through_us INTEGER NOT NULL,                       -- id of the last message that was read
  seq        INTEGER NOT NULL,                       -- the change feed's end when the marker was set
  set_at_us  INTEGER NOT NULL                        -- when it was set, by our clock
) STRICT;

-- Messages that were stored behind one that is later, in order of storing: what a read marker must not pass over.
CREATE TABLE late (
  room_id    INTEGER NOT NULL REFERENCES room (id),
  seq        INTEGER NOT NULL,                       -- of the message's row in change
  message_id INTEGER NOT NULL,                       -- may be gone
  PRIMARY KEY (room_id, seq)
) STRICT, WITHOUT ROWID;

-- Bytes at the beginning of the session's journal that are no longer kept.
ALTER TABLE session ADD COLUMN aged INTEGER NOT NULL DEFAULT 0;

-- Whoever has spoken in a room was in it.
INSERT INTO membership (room_id, user_id)
  SELECT DISTINCT room_id, sender_id FROM message WHERE sender_id IS NOT NULL
  ON CONFLICT DO NOTHING;
