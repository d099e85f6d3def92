-- A person or room that was merged into another, a forgotten person, and a person of a bridge that was undone keep their row in `user` or
-- `room` without a name. The views leave these rows out.
DROP VIEW rooms;
DROP VIEW people;

CREATE VIEW rooms AS SELECT
  id,                                                -- messages.room_id
  (SELECT name FROM room_name WHERE room_id = r.id ORDER BY first_seen_us DESC)
    AS name,                                         -- today's
  kind,                                              -- channel, group, direct or server
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
    FROM room WHERE EXISTS (SELECT 1 FROM room_name WHERE room_id = room.id)) AS t) AS r;

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
  FROM user WHERE EXISTS (SELECT 1 FROM user_name WHERE user_id = user.id)) AS u;

-- 0017 says why message_raw is the last.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
PRAGMA writable_schema = RESET;
