-- Views for people who use SQL: names in place of numbers, times as text, kinds as words. docs/schema.md has examples. Each upgrade of a
-- file makes them again after its last step. `scrollback sql --schema` shows the comments of their columns. SQLite parses the
-- views each time it opens a file, so they are short. They avoid INDEXED BY, UNION and count(*), which DuckDB rewrites into words that
-- SQLite does not read. A time as text first adds 2 * 10^18 µs: its last six digits are then the fraction of the second, also before 1970.
-- The views leave out rooms and people without a name: those that were merged into others or forgotten, and the people of undone bridges.

-- The messages that the index finds. It reads one message for each hit, also where many messages lie in one slot.
DROP VIEW IF EXISTS hits;
CREATE VIEW hits AS SELECT
  m.id,                                              -- message.id
  words                                              -- for conditions: words MATCH 'text : coffee'
FROM (SELECT message_search AS words, rowid AS number, (SELECT first FROM search_slot WHERE slot = message_search.rowid) AS first,
    iif(rowid BETWEEN 0 AND (1 << 36) - 1, 18, 0) AS bits,
    -- In an index that an earlier version built, the rowid is the id.
    iif(rowid < 1 << 36 OR (SELECT analyser FROM search_index WHERE name = 'message_search') < 3, 0, 1 << 36) AS added
  FROM message_search) AS s
  JOIN message AS m ON m.id BETWEEN ifnull(first, (number - added) << bits)
    AND ifnull(first, ((number - added) << bits) + (1 << bits) - 1) AND m.noise = 0 AND m.id >> bits = number - added;

-- A message that is older than the first name of its room or sender shows the first name. The room's name is joined, so that
-- `WHERE room = 'x' ORDER BY id DESC LIMIT 50` starts with the name and reads 50 rows by message_room.
DROP VIEW IF EXISTS messages;
CREATE VIEW messages AS SELECT
  id,                                                -- The time in microseconds, unique in the account
  strftime('%Y-%m-%dT%H:%M:%S.', (id + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(id + 2000000000000000000, 14) || 'Z'
    AS at,                                           -- The same time as text, in UTC
  n.name AS room,                                    -- The room's name at that time
  ifnull((SELECT name FROM user_name WHERE user_id = sender_id AND first_seen_us <= id ORDER BY first_seen_us DESC),
      (SELECT name FROM user_name WHERE user_id = sender_id ORDER BY first_seen_us))
    AS sender,                                       -- The sender's name at that time; null for the server's own lines
  CASE kind WHEN 0 THEN 'message' WHEN 1 THEN 'action' WHEN 2 THEN 'notice' WHEN 3 THEN 'system'
    WHEN 6 THEN 'kick' WHEN 8 THEN 'topic' WHEN 10 THEN 'invite' END
    AS kind,                                         -- message, action, notice, system, kick, topic, invite
  body,                                              -- The text, the reason or the topic
  (SELECT is_self FROM user WHERE id = sender_id)
    AS is_self,                                      -- 1 for the account's own messages
  strftime('%Y-%m-%dT%H:%M:%S.', (edited_at_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(edited_at_us + 2000000000000000000, 14) || 'Z'
    AS edited_at,                                    -- The time of the last edit
  strftime('%Y-%m-%dT%H:%M:%S.', (deleted_at_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(deleted_at_us + 2000000000000000000, 14) || 'Z'
    AS deleted_at,                                   -- The time of the deletion
  (SELECT id FROM message WHERE room_id = m.room_id AND remote_id = m.reply_to)
    AS reply_to,                                     -- The id of the message that it answers
  (SELECT count(id) FROM attachment WHERE message_id = m.id)
    AS files,                                        -- The number of files that came with it
  flags & 512 <> 0 AS is_pinned,                     -- 1 if it is pinned in its room
  strftime('%Y-%m-%dT%H:%M:%S.', (ifnull(received_at_us, id) + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(ifnull(received_at_us, id) + 2000000000000000000, 14) || 'Z'
    AS received_at,                                  -- The time at which it was received or imported
  remote_id,                                         -- The network's id
  (SELECT name FROM room_name WHERE room_id = m.room_id ORDER BY first_seen_us DESC)
    AS room_now,                                     -- The room's name today
  (SELECT name FROM user_name WHERE user_id = sender_id ORDER BY first_seen_us DESC)
    AS sender_now,                                   -- The sender's name today
  m.room_id,                                         -- The id in rooms
  sender_id                                          -- The id in people
FROM message AS m
  LEFT JOIN room_name AS n ON n.room_id = m.room_id
    AND id >= iif((SELECT min(first_seen_us) FROM room_name WHERE room_id = n.room_id) = first_seen_us,
      -9223372036854775808, first_seen_us)
    AND id <= ifnull((SELECT min(first_seen_us) - 1 FROM room_name
      WHERE room_id = n.room_id AND first_seen_us > n.first_seen_us), 9223372036854775807)
WHERE noise = 0;

-- Joins, leaves, renames and modes.
DROP VIEW IF EXISTS events;
CREATE VIEW events AS SELECT
  id,                                                -- The time in microseconds, unique in the account
  strftime('%Y-%m-%dT%H:%M:%S.', (id + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(id + 2000000000000000000, 14) || 'Z'
    AS at,                                           -- The same time as text, in UTC
  n.name AS room,                                    -- The room's name at that time
  ifnull((SELECT name FROM user_name WHERE user_id = sender_id AND first_seen_us <= id ORDER BY first_seen_us DESC),
      (SELECT name FROM user_name WHERE user_id = sender_id ORDER BY first_seen_us))
    AS sender,                                       -- The person's name at that time
  CASE kind WHEN 4 THEN 'join' WHEN 5 THEN 'leave' WHEN 7 THEN 'rename' WHEN 9 THEN 'mode' END
    AS kind,                                         -- join, leave, rename, mode
  body,                                              -- The reason, the new name or the mode
  m.room_id,                                         -- The id in rooms
  sender_id                                          -- The id in people
FROM message AS m
  LEFT JOIN room_name AS n ON n.room_id = m.room_id
    AND id >= iif((SELECT min(first_seen_us) FROM room_name WHERE room_id = n.room_id) = first_seen_us,
      -9223372036854775808, first_seen_us)
    AND id <= ifnull((SELECT min(first_seen_us) - 1 FROM room_name
      WHERE room_id = n.room_id AND first_seen_us > n.first_seen_us), 9223372036854775807)
WHERE noise = 1;

-- When rooms are not known to be complete, from their first span of coverage on.
DROP VIEW IF EXISTS gaps;
CREATE VIEW gaps AS SELECT
  (SELECT name FROM room_name WHERE room_id = g.room_id ORDER BY first_seen_us DESC)
    AS room,                                         -- The room's name today
  strftime('%Y-%m-%dT%H:%M:%S.', (shown_from_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(shown_from_us + 2000000000000000000, 14) || 'Z'
    AS from_at,                                      -- The last instant that is known to be complete
  strftime('%Y-%m-%dT%H:%M:%S.', (shown_to_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(shown_to_us + 2000000000000000000, 14) || 'Z'
    AS to_at,                                        -- The next instant that is known to be complete; null while there is none
  ifnull(to_us - from_us, strftime('%s', 'now') * 1000000 - shown_from_us) / 1000000
    AS seconds,                                      -- The length; until now while the gap lasts
  state,                                             -- current, open, lost, ended
  reason,                                            -- The reason; null if it is unknown
  unfilled,                                          -- The reason why history did not fill it
  detail,                                            -- The same in the server's words
  strftime('%Y-%m-%dT%H:%M:%S.', (next_try_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(next_try_us + 2000000000000000000, 14) || 'Z'
    AS next_try_at,                                  -- The time of the next attempt to fill it
  room_id,                                           -- The id in rooms
  from_us,                                           -- The beginning in microseconds
  to_us                                              -- The end in microseconds
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
    -- departed_us: when the account left the room, or the network removed it; only in the room's last span.
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

DROP VIEW IF EXISTS files;
CREATE VIEW files AS SELECT
  a.id,                                              -- The order of a message's files
  message_id,                                        -- The id in messages
  path,                                              -- The path or address
  CASE state WHEN 0 THEN iif(error IS NULL, 'missing', 'failed') WHEN 1 THEN 'here' WHEN 2 THEN 'too_large'
    WHEN 3 THEN 'gone' WHEN 4 THEN 'elsewhere' WHEN 5 THEN 'expired' END
    AS state,                                        -- missing, here, failed, too_large, gone, elsewhere, expired
  ifnull(c.bytes, ifnull(f.bytes, a.bytes))
    AS bytes,                                        -- The size; null while it is unknown
  f.sha256,                                          -- The hash of the content; null while the file is not here
  error,                                             -- The reason why the last attempt failed
  strftime('%Y-%m-%dT%H:%M:%S.', (tried_at_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(tried_at_us + 2000000000000000000, 14) || 'Z'
    AS tried_at                                      -- The time of the last attempt, or of the file's arrival
FROM attachment AS a JOIN file AS f ON f.id = file_id LEFT JOIN content AS c ON c.sha256 = f.sha256;

DROP VIEW IF EXISTS rooms;
CREATE VIEW rooms AS SELECT
  id,                                                -- The room's number in the account
  (SELECT name FROM room_name WHERE room_id = r.id ORDER BY first_seen_us DESC)
    AS name,                                         -- The name today
  kind,                                              -- channel, group, direct, server
  (SELECT name FROM workspace_name WHERE workspace_id = r.workspace_id ORDER BY first_seen_us DESC)
    AS workspace,                                    -- The workspace's name today
  (SELECT name FROM user_name WHERE user_id = partner_id ORDER BY first_seen_us DESC)
    AS partner,                                      -- The other person of a direct room
  messages,                                          -- The number of its messages and events
  strftime('%Y-%m-%dT%H:%M:%S.', (first_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(first_us + 2000000000000000000, 14) || 'Z'
    AS first_at,                                     -- The time of the first of these
  strftime('%Y-%m-%dT%H:%M:%S.', (last_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(last_us + 2000000000000000000, 14) || 'Z'
    AS last_at,                                      -- The time of the last of these
  strftime('%Y-%m-%dT%H:%M:%S.', (complete_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(complete_us + 2000000000000000000, 14) || 'Z'
    AS complete_since,                               -- The beginning of the room's archive; null if it was only imported
  strftime('%Y-%m-%dT%H:%M:%S.', (left_at_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(left_at_us + 2000000000000000000, 14) || 'Z'
    AS left_at,                                      -- The time at which the account left the room
  strftime('%Y-%m-%dT%H:%M:%S.', (gone_at_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(gone_at_us + 2000000000000000000, 14) || 'Z'
    AS gone_at                                       -- The time at which the network no longer had the room
FROM (SELECT t.*, min(ifnull(first0, first1), ifnull(first1, first0)) AS first_us,
    max(ifnull(last0, last1), ifnull(last1, last0)) AS last_us
  FROM (SELECT room.*,
      (SELECT min(id) FROM message WHERE room_id = room.id AND noise = 0) AS first0,
      (SELECT min(id) FROM message WHERE room_id = room.id AND noise = 1) AS first1,
      (SELECT max(id) FROM message WHERE room_id = room.id AND noise = 0) AS last0,
      (SELECT max(id) FROM message WHERE room_id = room.id AND noise = 1) AS last1,
      (SELECT min(from_us) FROM coverage WHERE room_id = room.id) AS complete_us
    FROM room WHERE EXISTS (SELECT 1 FROM room_name WHERE room_id = room.id)) AS t) AS r;

DROP VIEW IF EXISTS people;
CREATE VIEW people AS SELECT
  id,                                                -- The person's number in the account
  (SELECT name FROM user_name WHERE user_id = u.id ORDER BY first_seen_us DESC)
    AS name,                                         -- The name today
  is_self,                                           -- 1 for the account's own identity
  ifnull((SELECT sum(messages) FROM sender_count WHERE sender_id = u.id), 0)
    AS messages,                                     -- The number of messages
  names,                                             -- The number of names so far
  strftime('%Y-%m-%dT%H:%M:%S.', (first_us + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch')
    || substr(first_us + 2000000000000000000, 14) || 'Z'
    AS first_seen_at                                 -- The time at which the first name was seen
FROM (SELECT user.*,
    (SELECT count(name) FROM user_name WHERE user_id = user.id) AS names,
    (SELECT min(first_seen_us) FROM user_name WHERE user_id = user.id) AS first_us
  FROM user WHERE EXISTS (SELECT 1 FROM user_name WHERE user_id = user.id)) AS u;
