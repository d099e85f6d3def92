-- What an import compares each line with is found by an index: a room by its name, and a text among a message's earlier ones.

-- Today's names of rooms, byte for byte, and where case is ignored as on IRC (RFC 1459 §2.2).
CREATE INDEX room_name_exact ON room_name (name) WHERE last_seen_us IS NULL;
CREATE INDEX room_name_irc ON room_name (
  replace(replace(replace(replace(name, '[', '{'), '\', '|'), ']', '}'), '~', '^') COLLATE NOCASE
) WHERE last_seen_us IS NULL;
-- Earlier texts of a message.
CREATE INDEX message_version_body ON message_version (message_id, body);
