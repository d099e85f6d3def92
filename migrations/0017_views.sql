-- Views for people who use SQL: names in place of numbers, times as text, kinds as words. docs/schema.md has examples.
-- They avoid INDEXED BY, UNION and count(*), which DuckDB writes anew in words that SQLite does not read.

-- Finds rooms by today's and earlier names; the index of 0014 has today's names only.
CREATE INDEX room_name_any ON room_name (name);
-- Counts the messages of a person; it grows with the first message of a person in a room.
CREATE INDEX sender_count_sender ON sender_count (sender_id);

-- Messages with the names of their time; joins, leaves, renames and modes are in events. A message that is older than the
-- first name of its room or sender shows the first name. The room's name is joined, so `WHERE room = 'x' ORDER BY id DESC
-- LIMIT 50` starts with the name and reads 50 rows by message_room.
CREATE VIEW messages AS SELECT
  m.id,                                              -- time in microseconds since 1970, unique: order and cursor
  strftime('%Y-%m-%dT%H:%M:%S', m.id / 1000000 - (m.id % 1000000 < 0), 'unixepoch')
      || printf('.%06dZ', m.id % 1000000 + 1000000 * (m.id % 1000000 < 0))
    AS at,                                           -- the same as text, ISO 8601 in UTC
  n.name AS room,                                    -- as it was called at that time
  ifnull(
      (SELECT name FROM user_name WHERE user_id = m.sender_id AND first_seen_us <= m.id
        ORDER BY first_seen_us DESC LIMIT 1),
      (SELECT name FROM user_name WHERE user_id = m.sender_id ORDER BY first_seen_us LIMIT 1))
    AS sender,                                       -- likewise; null for the server's own lines
  CASE m.kind WHEN 0 THEN 'message' WHEN 1 THEN 'action' WHEN 2 THEN 'notice' WHEN 3 THEN 'system'
    WHEN 6 THEN 'kick' WHEN 8 THEN 'topic' WHEN 10 THEN 'invite' END
    AS kind,                                         -- a word
  m.body,                                            -- text, reason or topic; null where there is none
  (SELECT is_self FROM user WHERE id = m.sender_id)
    AS is_self,                                      -- 1 for the account's own messages
  strftime('%Y-%m-%dT%H:%M:%S', m.edited_at_us / 1000000 - (m.edited_at_us % 1000000 < 0), 'unixepoch')
      || printf('.%06dZ', m.edited_at_us % 1000000 + 1000000 * (m.edited_at_us % 1000000 < 0))
    AS edited_at,                                    -- null while body is the original
  strftime('%Y-%m-%dT%H:%M:%S', m.deleted_at_us / 1000000 - (m.deleted_at_us % 1000000 < 0), 'unixepoch')
      || printf('.%06dZ', m.deleted_at_us % 1000000 + 1000000 * (m.deleted_at_us % 1000000 < 0))
    AS deleted_at,                                   -- null while it is not deleted
  (SELECT id FROM message WHERE room_id = m.room_id AND remote_id = m.reply_to)
    AS reply_to,                                     -- id of the message that it answers
  (SELECT count(id) FROM attachment WHERE message_id = m.id)
    AS files,                                        -- number of files that came with it
  m.flags & 512 <> 0 AS is_pinned,                   -- 1 when pinned in its room
  strftime('%Y-%m-%dT%H:%M:%S', ifnull(m.received_at_us, m.id) / 1000000
      - (ifnull(m.received_at_us, m.id) % 1000000 < 0), 'unixepoch')
      || printf('.%06dZ', ifnull(m.received_at_us, m.id) % 1000000
        + 1000000 * (ifnull(m.received_at_us, m.id) % 1000000 < 0))
    AS received_at,                                  -- by this machine's clock
  m.remote_id,                                       -- the network's id
  (SELECT name FROM room_name WHERE room_id = m.room_id ORDER BY first_seen_us DESC LIMIT 1)
    AS room_now,                                     -- today's name of the room
  (SELECT name FROM user_name WHERE user_id = m.sender_id ORDER BY first_seen_us DESC LIMIT 1)
    AS sender_now,                                   -- today's name of the sender
  m.room_id,                                         -- rooms.id
  m.sender_id                                        -- people.id
FROM message AS m
  LEFT JOIN room_name AS n ON n.room_id = m.room_id
    AND m.id >= iif((SELECT min(first_seen_us) FROM room_name WHERE room_id = n.room_id) = n.first_seen_us,
      -9223372036854775808, n.first_seen_us)
    AND m.id <= ifnull((SELECT min(first_seen_us) - 1 FROM room_name
      WHERE room_id = n.room_id AND first_seen_us > n.first_seen_us), 9223372036854775807)
WHERE m.noise = 0;

-- Joins, leaves, renames and modes, which messages leaves out.
CREATE VIEW events AS SELECT
  m.id,                                              -- as in messages, and so are the others
  strftime('%Y-%m-%dT%H:%M:%S', m.id / 1000000 - (m.id % 1000000 < 0), 'unixepoch')
      || printf('.%06dZ', m.id % 1000000 + 1000000 * (m.id % 1000000 < 0))
    AS at,
  n.name AS room,
  ifnull(
      (SELECT name FROM user_name WHERE user_id = m.sender_id AND first_seen_us <= m.id
        ORDER BY first_seen_us DESC LIMIT 1),
      (SELECT name FROM user_name WHERE user_id = m.sender_id ORDER BY first_seen_us LIMIT 1))
    AS sender,
  CASE m.kind WHEN 4 THEN 'join' WHEN 5 THEN 'leave' WHEN 7 THEN 'rename' WHEN 9 THEN 'mode' END
    AS kind,
  m.body,                                            -- reason, new name or mode; null where there is none
  m.room_id,
  m.sender_id
FROM message AS m
  LEFT JOIN room_name AS n ON n.room_id = m.room_id
    AND m.id >= iif((SELECT min(first_seen_us) FROM room_name WHERE room_id = n.room_id) = n.first_seen_us,
      -9223372036854775808, n.first_seen_us)
    AND m.id <= ifnull((SELECT min(first_seen_us) - 1 FROM room_name
      WHERE room_id = n.room_id AND first_seen_us > n.first_seen_us), 9223372036854775807)
WHERE m.noise = 1;

CREATE VIEW rooms AS SELECT
  r.id,                                              -- messages.room_id
  (SELECT name FROM room_name WHERE room_id = r.id ORDER BY first_seen_us DESC LIMIT 1)
    AS name,                                         -- today's
  r.kind,                                            -- channel, direct or server
  (SELECT name FROM workspace_name WHERE workspace_id = r.workspace_id ORDER BY first_seen_us DESC LIMIT 1)
    AS workspace,                                    -- null on networks without workspaces
  (SELECT name FROM user_name WHERE user_id = r.partner_id ORDER BY first_seen_us DESC LIMIT 1)
    AS partner,                                      -- whom a direct room is with
  r.messages,                                        -- rows of messages and events
  strftime('%Y-%m-%dT%H:%M:%S', r.first_us / 1000000 - (r.first_us % 1000000 < 0), 'unixepoch')
      || printf('.%06dZ', r.first_us % 1000000 + 1000000 * (r.first_us % 1000000 < 0))
    AS first_at,                                     -- of the first of these
  strftime('%Y-%m-%dT%H:%M:%S', r.last_us / 1000000 - (r.last_us % 1000000 < 0), 'unixepoch')
      || printf('.%06dZ', r.last_us % 1000000 + 1000000 * (r.last_us % 1000000 < 0))
    AS last_at,                                      -- of the last of these
  strftime('%Y-%m-%dT%H:%M:%S', r.complete_us / 1000000 - (r.complete_us % 1000000 < 0), 'unixepoch')
      || printf('.%06dZ', r.complete_us % 1000000 + 1000000 * (r.complete_us % 1000000 < 0))
    AS complete_since,                               -- start of the archive; null where only logs were imported
  strftime('%Y-%m-%dT%H:%M:%S', r.left_at_us / 1000000 - (r.left_at_us % 1000000 < 0), 'unixepoch')
      || printf('.%06dZ', r.left_at_us % 1000000 + 1000000 * (r.left_at_us % 1000000 < 0))
    AS left_at,                                      -- null while the account is in the room
  strftime('%Y-%m-%dT%H:%M:%S', r.gone_at_us / 1000000 - (r.gone_at_us % 1000000 < 0), 'unixepoch')
      || printf('.%06dZ', r.gone_at_us % 1000000 + 1000000 * (r.gone_at_us % 1000000 < 0))
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
  u.id,                                              -- messages.sender_id
  (SELECT name FROM user_name WHERE user_id = u.id ORDER BY first_seen_us DESC LIMIT 1)
    AS name,                                         -- today's
  u.is_self,                                         -- 1 for the account's own identity
  ifnull((SELECT sum(messages) FROM sender_count WHERE sender_id = u.id), 0)
    AS messages,                                     -- rows of messages that they sent
  u.names,                                           -- number of names so far
  strftime('%Y-%m-%dT%H:%M:%S', u.first_us / 1000000 - (u.first_us % 1000000 < 0), 'unixepoch')
      || printf('.%06dZ', u.first_us % 1000000 + 1000000 * (u.first_us % 1000000 < 0))
    AS first_seen_at                                 -- when the first name was seen
FROM (SELECT user.*,
    (SELECT count(name) FROM user_name WHERE user_id = user.id) AS names,
    (SELECT min(first_seen_us) FROM user_name WHERE user_id = user.id) AS first_us
  FROM user) AS u;

-- When rooms are not known to be complete, from their first span of coverage on.
CREATE VIEW gaps AS SELECT
  (SELECT name FROM room_name WHERE room_id = g.room_id ORDER BY first_seen_us DESC LIMIT 1)
    AS room,                                         -- today's name
  strftime('%Y-%m-%dT%H:%M:%S', (g.from_us - g.from_ahead_us) / 1000000
      - ((g.from_us - g.from_ahead_us) % 1000000 < 0), 'unixepoch')
      || printf('.%06dZ', (g.from_us - g.from_ahead_us) % 1000000
        + 1000000 * ((g.from_us - g.from_ahead_us) % 1000000 < 0))
    AS from_at,                                      -- the last instant known to be complete
  strftime('%Y-%m-%dT%H:%M:%S', (g.to_us - g.to_ahead_us) / 1000000
      - ((g.to_us - g.to_ahead_us) % 1000000 < 0), 'unixepoch')
      || printf('.%06dZ', (g.to_us - g.to_ahead_us) % 1000000
        + 1000000 * ((g.to_us - g.to_ahead_us) % 1000000 < 0))
    AS to_at,                                        -- the next instant known to be complete; null while there is none
  (ifnull(g.to_us, CAST(strftime('%s', 'now') AS INTEGER) * 1000000 + g.from_ahead_us) - g.from_us) / 1000000
    AS seconds,                                      -- length, until now where it lasts
  g.state,                                           -- current, open, lost or ended
  g.reason,                                          -- why; quiet while a connection seems open; null where unknown
  g.unfilled,                                        -- why history did not fill it; null where it was not asked
  g.detail,                                          -- the same in the server's words
  strftime('%Y-%m-%dT%H:%M:%S', g.next_try_us / 1000000 - (g.next_try_us % 1000000 < 0), 'unixepoch')
      || printf('.%06dZ', g.next_try_us % 1000000 + 1000000 * (g.next_try_us % 1000000 < 0))
    AS next_try_at,                                  -- of history; null when none is planned
  g.room_id,                                         -- rooms.id
  g.from_us,                                         -- as messages.id
  g.to_us                                            -- as messages.id
FROM (
  WITH
    span AS (
      SELECT c.room_id, c.from_us, max(c.from_us, ifnull(c.to_us, s.heard_until_us)) AS to_us,
        iif(s.clock_lead_us = 0, s.ahead_us, 0) AS ahead_us,
        ifnull(note.reason, iif(c.to_us IS NULL, 'quiet', NULL)) AS reason, note.unfilled, note.detail, note.next_try_us,
        c.to_us IS NULL AND s.last_sign_of_life_us - s.ahead_us
          >= (CAST(strftime('%s', 'now') AS INTEGER) - 60) * 1000000 AS is_live
      FROM coverage AS c JOIN session AS s ON s.id = c.session_id
        LEFT JOIN gap_note AS note ON note.room_id = c.room_id AND note.from_us = c.to_us),
    pair AS (
      SELECT span.*, lead(from_us) OVER (PARTITION BY room_id ORDER BY from_us) AS next_us,
        lead(ahead_us) OVER (PARTITION BY room_id ORDER BY from_us) AS next_ahead_us
      FROM span),
    -- Of a room's last span, when the account left the room, or it was gone.
    departure AS (
      SELECT pair.*, gone_at_us,
        iif(next_us IS NULL, min(ifnull(left_at_us, gone_at_us), ifnull(gone_at_us, left_at_us)), NULL) AS departed_us
      FROM pair JOIN room ON room.id = pair.room_id
      WHERE ifnull(to_us + 1 < next_us, NOT is_live)),
    ending AS (
      SELECT departure.*, CASE WHEN departed_us IS NULL THEN NULL
        WHEN to_us >= departed_us - 1 OR reason IN ('left', 'gone') THEN to_us ELSE departed_us END AS end_us
      FROM departure)
  -- Part 0 is what is missing after a span, part 1 the time after a departure.
  SELECT room_id, iif(part.value = 0, to_us, end_us) AS from_us, iif(part.value = 0, ifnull(next_us, end_us), NULL) AS to_us,
    iif(part.value = 0, ahead_us, 0) AS from_ahead_us, ifnull(next_ahead_us, 0) AS to_ahead_us,
    CASE WHEN part.value = 1 THEN 'ended' WHEN next_us IS NULL AND end_us IS NULL THEN 'current'
      WHEN next_us IS NOT NULL AND next_try_us IS NOT NULL THEN 'open' ELSE 'lost' END AS state,
    CASE WHEN part.value = 0 THEN reason WHEN gone_at_us IS NULL THEN 'left' ELSE 'gone' END AS reason,
    iif(part.value = 0, unfilled, NULL) AS unfilled, iif(part.value = 0, detail, NULL) AS detail,
    iif(end_us IS NULL, next_try_us, NULL) AS next_try_us
  FROM ending JOIN json_each('[0, 1]') AS part
    ON iif(part.value = 0, end_us IS NULL OR end_us <> to_us, end_us IS NOT NULL)
) AS g;

-- The texts of the messages that the search index has. FTS5 reads them here (an external content table), so that programs that
-- read every table can read message_search. Compared with content = '' this costs 0 bytes a message and 0.1% more instructions
-- to store one; keeping lengths (columnsize = 1), which makes a table of nulls, costs 17 bytes and 7% (100,000 messages of 3 to
-- 13 words, SQLite 3.40.1).
CREATE VIEW message_search_text AS SELECT
  id,                                                -- rowid of message_search
  body AS text,                                      -- as it is in message; the index has its words
  NULL AS chars,                                     -- of the other columns there are only words
  NULL AS facets
FROM message
WHERE noise = 0;

-- 0004 says why in this way. The shadow tables of both kinds are the same; nothing is indexed again.
-- SQLite's integrity check finds lost pages only if the first object of its table of names has pages, which views have not
-- (pragma.c and btree.c up to 3.51: a root page of 0 makes the check a partial one). A table that is read last is the first
-- there if its hash is free, as that of message_raw is.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
  SET sql = replace(sql, 'content = ''''', 'content = ''message_search_text'', content_rowid = ''id''')
  WHERE type = 'table' AND name IN ('message_search', 'message_search_next');
UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
PRAGMA writable_schema = RESET;
