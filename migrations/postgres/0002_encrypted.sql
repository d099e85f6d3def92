-- The messages of each room that could not be read.
CREATE INDEX message_encrypted ON scrollback.message (account_id, room_id)
  WHERE flags & 1024 <> 0 AND body IS NULL AND deleted_at_us IS NULL;
