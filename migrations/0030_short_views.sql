-- These views replace those of 0017, 0020 and 0023 with fewer words: SQLite parses them each time it opens a file, which took almost
-- half of the time of opening. 0017 has the rules for their SQL. A time as text first adds 2 * 10^18 µs: its last six digits are then
-- the fraction of the second, also before 1970.
DROP VIEW messages;
DROP VIEW events;
DROP VIEW rooms;
DROP VIEW people;
DROP VIEW gaps;
DROP VIEW files;

CREATE VIEW messages AS SELECT
  id,                                                -- time in microseconds since 1970, unique: order and cursor
  strftime('%Y-%m-%dT%H:%M:%S.', (id + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(id + 2000000000000000000, 14) || 'Z'
    AS at,                                           -- the same as text, ISO 8601 in UTC
  n.name AS room,                                    -- as it was called at that time
  ifnull((SELECT name FROM user_name WHERE user_id = sender_id AND first_seen_us <= id ORDER BY first_seen_us DESC),
      (SELECT name FROM user_name WHERE user_id = sender_id ORDER BY first_seen_us))
    AS sender,                                       -- likewise; null for the server's own lines
  CASE kind WHEN 0 THEN 'message' WHEN 1 THEN 'action' WHEN 2 THEN 'notice' WHEN 3 THEN 'system'
    WHEN 6 THEN 'kick' WHEN 8 THEN 'topic' WHEN 10 THEN 'invite' END
    AS kind,                                         -- a word
  body,                                              -- text, reason or topic; null where there is none
  (SELECT is_self FROM user WHERE id = sender_id)
    AS is_self,                                      -- 1 for the account's own messages
  strftime('%Y-%m-%dT%H:%M:%S.', (edited_at_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(edited_at_us + 2000000000000000000, 14) || 'Z'
    AS edited_at,                                    -- null while body is the original
  strftime('%Y-%m-%dT%H:%M:%S.', (deleted_at_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(deleted_at_us + 2000000000000000000, 14) || 'Z'
    AS deleted_at,                                   -- null while it is not deleted
  (SELECT id FROM message WHERE room_id = m.room_id AND remote_id = m.reply_to)
    AS reply_to,                                     -- id of the message that it answers
  (SELECT count(id) FROM attachment WHERE message_id = m.id)
    AS files,                                        -- number of files that came with it
  flags & 512 <> 0 AS is_pinned,                     -- 1 when pinned in its room
  strftime('%Y-%m-%dT%H:%M:%S.', (ifnull(received_at_us, id) + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(ifnull(received_at_us, id) + 2000000000000000000, 14) || 'Z'
    AS received_at,                                  -- by this machine's clock
  remote_id,                                         -- the network's id
  (SELECT name FROM room_name WHERE room_id = m.room_id ORDER BY first_seen_us DESC)
    AS room_now,                                     -- today's name of the room
  (SELECT name FROM user_name WHERE user_id = sender_id ORDER BY first_seen_us DESC)
    AS sender_now,                                   -- today's name of the sender
  m.room_id,                                         -- rooms.id
  sender_id                                          -- people.id
FROM message AS m
  LEFT JOIN room_name AS n ON n.room_id = m.room_id
    AND id >= iif((SELECT min(first_seen_us) FROM room_name WHERE room_id = n.room_id) = first_seen_us,
      -9223372036854775808, first_seen_us)
    AND id <= ifnull((SELECT min(first_seen_us) - 1 FROM room_name
      WHERE room_id = n.room_id AND first_seen_us > n.first_seen_us), 9223372036854775807)
WHERE noise = 0;

-- Joins, leaves, renames and modes.
CREATE VIEW events AS SELECT
  id,                                                -- as in messages, and so are the others
  strftime('%Y-%m-%dT%H:%M:%S.', (id + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(id + 2000000000000000000, 14) || 'Z'
    AS at,
  n.name AS room,
  ifnull((SELECT name FROM user_name WHERE user_id = sender_id AND first_seen_us <= id ORDER BY first_seen_us DESC),
      (SELECT name FROM user_name WHERE user_id = sender_id ORDER BY first_seen_us))
    AS sender,
  CASE kind WHEN 4 THEN 'join' WHEN 5 THEN 'leave' WHEN 7 THEN 'rename' WHEN 9 THEN 'mode' END
    AS kind,
  body,                                              -- reason, new name or mode; null where there is none
  m.room_id,
  sender_id
FROM message AS m
  LEFT JOIN room_name AS n ON n.room_id = m.room_id
    AND id >= iif((SELECT min(first_seen_us) FROM room_name WHERE room_id = n.room_id) = first_seen_us,
      -9223372036854775808, first_seen_us)
    AND id <= ifnull((SELECT min(first_seen_us) - 1 FROM room_name
      WHERE room_id = n.room_id AND first_seen_us > n.first_seen_us), 9223372036854775807)
WHERE noise = 1;

CREATE VIEW rooms AS SELECT
  id,                                                -- messages.room_id
  (SELECT name FROM room_name WHERE room_id = r.id ORDER BY first_seen_us DESC)
    AS name,                                         -- today's
  kind,                                              -- channel, direct or server
  (SELECT name FROM workspace_name WHERE workspace_id = r.workspace_id ORDER BY first_seen_us DESC)
    AS workspace,                                    -- null on networks without workspaces
  (SELECT name FROM user_name WHERE user_id = partner_id ORDER BY first_seen_us DESC)
    AS partner,                                      -- whom a direct room is with
  messages,                                          -- rows of messages and events
  strftime('%Y-%m-%dT%H:%M:%S.', (first_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(first_us + 2000000000000000000, 14) || 'Z'
    AS first_at,                                     -- of the first of these
  strftime('%Y-%m-%dT%H:%M:%S.', (last_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(last_us + 2000000000000000000, 14) || 'Z'
    AS last_at,                                      -- of the last of these
  strftime('%Y-%m-%dT%H:%M:%S.', (complete_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(complete_us + 2000000000000000000, 14) || 'Z'
    AS complete_since,                               -- start of the archive; null where only logs were imported
  strftime('%Y-%m-%dT%H:%M:%S.', (left_at_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(left_at_us + 2000000000000000000, 14) || 'Z'
    AS left_at,                                      -- null while the account is in the room
  strftime('%Y-%m-%dT%H:%M:%S.', (gone_at_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(gone_at_us + 2000000000000000000, 14) || 'Z'
    AS gone_at                                       -- null while the network has the room
FROM (SELECT t.*, min(ifnull(first0, first1), ifnull(first1, first0)) AS first_us,
    max(ifnull(last0, last1), ifnull(last1, last0)) AS last_us
  FROM (SELECT room.*,
      (SELECT min(id) FROM message WHERE room_id = room.id AND noise = 0) AS first0,
      (SELECT min(id) FROM message WHERE room_id = room.id AND noise = 1) AS first1,
      (SELECT max(id) FROM message WHERE room_id = room.id AND noise = 0) AS last0,
      (SELECT max(id) FROM message WHERE room_id = room.id AND noise = 1) AS last1,
      (SELECT min(from_us) FROM coverage WHERE room_id = room.id) AS complete_us
    FROM room) AS t) AS r;

CREATE VIEW people AS SELECT
  id,                                                -- messages.sender_id
  (SELECT name FROM user_name WHERE user_id = u.id ORDER BY first_seen_us DESC)
    AS name,                                         -- today's
  is_self,                                           -- 1 for the account's own identity
  ifnull((SELECT sum(messages) FROM sender_count WHERE sender_id = u.id), 0)
    AS messages,                                     -- rows of messages that they sent
  names,                                             -- number of names so far
  strftime('%Y-%m-%dT%H:%M:%S.', (first_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(first_us + 2000000000000000000, 14) || 'Z'
    AS first_seen_at                                 -- when the first name was seen
FROM (SELECT user.*,
    (SELECT count(name) FROM user_name WHERE user_id = user.id) AS names,
    (SELECT min(first_seen_us) FROM user_name WHERE user_id = user.id) AS first_us
  FROM user) AS u;

CREATE VIEW gaps AS SELECT
  (SELECT name FROM room_name WHERE room_id = g.room_id ORDER BY first_seen_us DESC)
    AS room,                                         -- today's name
  strftime('%Y-%m-%dT%H:%M:%S.', (shown_from_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(shown_from_us + 2000000000000000000, 14) || 'Z'
    AS from_at,                                      -- the last instant known to be complete
  strftime('%Y-%m-%dT%H:%M:%S.', (shown_to_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(shown_to_us + 2000000000000000000, 14) || 'Z'
    AS to_at,                                        -- the next instant known to be complete; null while there is none
  ifnull(to_us - from_us, strftime('%s', 'now') * 1000000 - shown_from_us) / 1000000
    AS seconds,                                      -- length, until now where it lasts
  state,                                             -- current, open, lost or ended
  reason,                                            -- why; quiet while a connection seems open; null where unknown
  unfilled,                                          -- why history did not fill it; null where it was not asked
  detail,                                            -- the same in the server's words
  strftime('%Y-%m-%dT%H:%M:%S.', (next_try_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(next_try_us + 2000000000000000000, 14) || 'Z'
    AS next_try_at,                                  -- of history; null when none is planned
  room_id,                                           -- rooms.id
  from_us,                                           -- as messages.id
  to_us                                              -- as messages.id
FROM (
  WITH
    span AS (
      SELECT c.room_id, c.from_us, max(c.from_us, ifnull(c.to_us, heard_until_us)) AS to_us,
        iif(clock_lead_us = 0, ahead_us, 0) AS ahead_us,
        ifnull(note.reason, iif(c.to_us IS NULL, 'quiet', NULL)) AS reason, unfilled, note.detail, next_try_us,
        c.to_us IS NULL AND last_sign_of_life_us - ahead_us >= (strftime('%s', 'now') - 60) * 1000000 AS is_live
      FROM coverage AS c JOIN session AS s ON s.id = session_id
        LEFT JOIN gap_note AS note ON note.room_id = c.room_id AND note.from_us = c.to_us),
    pair AS (
      SELECT span.*, lead(from_us) OVER of_room AS next_us, lead(ahead_us) OVER of_room AS next_ahead_us
      FROM span WINDOW of_room AS (PARTITION BY room_id ORDER BY from_us)),
    -- departed_us: when the account left the room, or the room was gone; only in the room's last span.
    departure AS (
      SELECT pair.*, gone_at_us,
        iif(next_us IS NULL, min(ifnull(left_at_us, gone_at_us), ifnull(gone_at_us, left_at_us)), NULL) AS departed_us
      FROM pair JOIN room ON room.id = room_id
      WHERE ifnull(to_us + 1 < next_us, NOT is_live)),
    ending AS (
      SELECT departure.*,
        iif(to_us >= departed_us - 1 OR departed_us IS NOT NULL AND reason IN ('left', 'gone'), to_us, departed_us) AS end_us
      FROM departure)
  -- Part 0 is what is missing after a span, part 1 the time after a departure.
  SELECT room_id, iif(value, end_us, to_us) AS from_us, iif(value, NULL, ifnull(next_us, end_us)) AS to_us,
    iif(value, end_us, to_us - ahead_us) AS shown_from_us,
    iif(value, NULL, ifnull(next_us - next_ahead_us, end_us)) AS shown_to_us,
    CASE WHEN value THEN 'ended' WHEN next_us IS NULL AND end_us IS NULL THEN 'current'
      WHEN next_us IS NOT NULL AND next_try_us IS NOT NULL THEN 'open' ELSE 'lost' END AS state,
    CASE WHEN NOT value THEN reason WHEN gone_at_us IS NULL THEN 'left' ELSE 'gone' END AS reason,
    iif(value, NULL, unfilled) AS unfilled, iif(value, NULL, detail) AS detail,
    iif(end_us IS NULL, next_try_us, NULL) AS next_try_us
  FROM ending JOIN json_each('[0, 1]')
    ON iif(value, end_us IS NOT NULL, end_us IS NULL OR end_us <> to_us)
) AS g;

CREATE VIEW files AS SELECT
  a.id,                                              -- order of the files of a message
  message_id,                                        -- messages.id
  path,                                              -- as the network or the import gives it
  CASE state WHEN 0 THEN iif(error IS NULL, 'missing', 'failed') WHEN 1 THEN 'here' WHEN 2 THEN 'too_large'
    WHEN 3 THEN 'gone' WHEN 4 THEN 'elsewhere' WHEN 5 THEN 'expired' END
    AS state,                                        -- a word
  ifnull(c.bytes, ifnull(f.bytes, a.bytes))
    AS bytes,                                        -- how many; null while that is not known
  f.sha256,                                          -- of its bytes; null while they are not here
  error,                                             -- why the last try failed, for people
  strftime('%Y-%m-%dT%H:%M:%S.', (tried_at_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(tried_at_us + 2000000000000000000, 14) || 'Z'
    AS tried_at                                      -- when it was tried last, or came; null when it never was
FROM attachment AS a JOIN file AS f ON f.id = file_id LEFT JOIN content AS c ON c.sha256 = f.sha256;

-- 0017 says why message_raw is the last.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
PRAGMA writable_schema = RESET;
