-- Finds the last topic of a room in one look-up.
CREATE INDEX message_topic ON scrollback.message (account_id, room_id, id) WHERE kind = 8;
