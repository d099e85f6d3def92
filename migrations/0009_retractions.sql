-- What was retracted, by whom and why, and the ids of reactions.

-- What its network tells to be retracted, on networks that tell by whom. What it was may come later than this: history is
-- read backwards, too.
CREATE TABLE retraction (
  room_id   INTEGER NOT NULL REFERENCES room (id),
  remote_id TEXT NOT NULL,                           -- the message's or the reaction's
  user_id   INTEGER REFERENCES user (id),            -- who retracted it; null where that is not told
  at_us     INTEGER NOT NULL,                        -- when, by the network where it tells
  reason    TEXT,                                    -- why, in their words; null where they gave none
  wipes     INTEGER NOT NULL CHECK (wipes IN (0, 1)),  -- 1 when no text of it is to be kept
  PRIMARY KEY (room_id, remote_id)
) STRICT, WITHOUT ROWID;

-- The network's id of the reaction itself, as it was given last; null where it has none.
ALTER TABLE reaction ADD COLUMN own_id TEXT;
CREATE INDEX reaction_own_id ON reaction (room_id, own_id) WHERE own_id IS NOT NULL;
