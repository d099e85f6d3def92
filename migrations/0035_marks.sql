-- Messages with a reaction, an answer, a pin, a picture, a film or a sound get facets, for has: and is: in a search.

-- Bit 8192 of flags: a reaction to the message stands.
UPDATE message SET flags = flags | 8192
  WHERE remote_id IS NOT NULL
    AND (room_id, remote_id) IN (SELECT room_id, remote_id FROM reaction WHERE removed_at_us IS NULL);

-- An index of messages without any of these needs no change; another one is replaced by one that is made beside it.
UPDATE search_index SET analyser = 4 WHERE analyser = 3
  AND NOT EXISTS (SELECT 1 FROM attachment)
  AND NOT EXISTS (SELECT 1 FROM reaction)
  AND NOT EXISTS (SELECT 1 FROM message WHERE reply_to IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM message WHERE flags & 512 <> 0);
