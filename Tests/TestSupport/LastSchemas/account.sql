-- The last schema before 0001_account.sql, as its programs left it in a new file.
CREATE TABLE account (
  id            INTEGER PRIMARY KEY CHECK (id = 1),  -- one account a file
  name          TEXT NOT NULL,                       -- as the configuration calls it
  network       TEXT NOT NULL,                       -- kind of service: 'streamchat', ...
  epoch         TEXT NOT NULL,                       -- random id of this life of the file; change.seq counts within it
  created_at_us INTEGER NOT NULL                     -- when the file was made, by our clock
) STRICT;
CREATE TABLE room (
  id               INTEGER PRIMARY KEY,
  key              TEXT NOT NULL UNIQUE,             -- the network's id, else its folded name; '' for a server's one room
  kind             TEXT NOT NULL CHECK (kind IN ('channel', 'group', 'direct', 'server')),
    -- a group has several people; a direct room is a conversation with one person or a few; a server is one room
  messages         INTEGER NOT NULL DEFAULT 0,       -- rows of message in this room, kept by the writer and message_gone
  workspace_id     INTEGER REFERENCES workspace (id),  -- null on networks without workspaces, and until it was listed
  partner_id       INTEGER REFERENCES user (id),     -- whom a direct room is with; null for other rooms
  left_at_us       INTEGER,                          -- since when it is not listed among ours; null while it is
  gone_at_us       INTEGER,                          -- since when the network has it no more; null while it has; history stays
  asked_back_to_us INTEGER                           -- how far back history before the first span was asked for; null where not
) STRICT;
CREATE TABLE room_name (
  room_id       INTEGER NOT NULL REFERENCES room (id),
  first_seen_us INTEGER NOT NULL,                    -- id of the first event under this name
  last_seen_us  INTEGER,                             -- when it was found to have another; null for today's name
  name          TEXT NOT NULL,                       -- as the network writes it
  PRIMARY KEY (room_id, first_seen_us)
) STRICT, WITHOUT ROWID;
CREATE TABLE user (
  id      INTEGER PRIMARY KEY,
  key     TEXT UNIQUE,                               -- the network's id, else the folded name; null once another has taken the name
  is_self INTEGER NOT NULL DEFAULT 0 CHECK (is_self IN (0, 1)), -- 1 for the account's own person
  self_by INTEGER NOT NULL DEFAULT 0 CHECK (self_by BETWEEN 0 AND 2) -- who says so besides own_name: 0 nobody, 1 the network or
    -- an export, 2 an export by a word such as 나
) STRICT;
CREATE TABLE user_name (
  user_id       INTEGER NOT NULL REFERENCES user (id),
  first_seen_us INTEGER NOT NULL,                    -- id of the first event under this name
  last_seen_us  INTEGER,                             -- when it was found to have another; null for today's name
  name          TEXT NOT NULL,                       -- as the network writes it
  PRIMARY KEY (user_id, first_seen_us)
) STRICT, WITHOUT ROWID;
CREATE TABLE membership (
  room_id      INTEGER NOT NULL REFERENCES room (id),
  user_id      INTEGER NOT NULL REFERENCES user (id),
  joined_at_us INTEGER,                              -- null when the user was there before we were
  left_at_us   INTEGER,                              -- null while in the room
  PRIMARY KEY (room_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE session (
  id                   INTEGER PRIMARY KEY,
  started_at_us        INTEGER NOT NULL,             -- when the connection stood
  last_sign_of_life_us INTEGER NOT NULL,             -- the latest proof that the peer was there; all before it is stored
  ended_at_us          INTEGER,                      -- null while it lasts; equals last_sign_of_life_us afterwards
  reason               TEXT,                         -- why it ended: stopped closed lost silent crashed clock_step violation store
  detail               TEXT,                         -- the same for people
  bytes                INTEGER NOT NULL DEFAULT 0,   -- length of the session's journal
  position             INTEGER NOT NULL DEFAULT 0,   -- bytes of it that have been parsed
  aged                 INTEGER NOT NULL DEFAULT 0,   -- bytes at its beginning that are no longer kept
  clock_lead_us        INTEGER NOT NULL DEFAULT 0,   -- how far the network's clock was ahead of ours; 0 where it tells none
  heard_until_us       INTEGER NOT NULL
    GENERATED ALWAYS AS (last_sign_of_life_us + clock_lead_us) VIRTUAL,  -- by the network's clock; live spans reach to it
  ahead_us             INTEGER NOT NULL DEFAULT 0,   -- times of receipt less the wall clock; above 0 after that was ahead
  booted_at_us         INTEGER,                      -- start of the machine as a time of receipt; null where not known
  boot                 TEXT,                         -- the kernel's id of that start; null where not known
  CHECK ((ended_at_us IS NULL) = (reason IS NULL))
) STRICT;
CREATE INDEX session_open ON session (id) WHERE ended_at_us IS NULL;
CREATE INDEX session_unparsed ON session (id) WHERE position < bytes;
CREATE TABLE message (
  id             INTEGER PRIMARY KEY,                -- time of the message, made unique: primary key, order, cursor
  room_id        INTEGER NOT NULL REFERENCES room (id),
  kind           INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 10),
    -- 0 message 1 action 2 notice 3 system 4 join 5 leave 6 kick 7 rename 8 topic 9 mode 10 invite
  noise          INTEGER NOT NULL AS (kind = 4 OR kind = 5 OR kind = 7 OR kind = 9) VIRTUAL,  -- 1 for what --hide joins hides
  sender_id      INTEGER REFERENCES user (id),       -- null for system
  session_id     INTEGER REFERENCES session (id),    -- the connection that brought it
  received_at_us INTEGER,                            -- when we received it; null when that is the id
  source_time_us INTEGER,                            -- the network's claim; null when it gave none or it is the id
  flags          INTEGER NOT NULL DEFAULT 0,
    -- bits: 1 invalid_utf8, 2 oversize, 4 maybe_coalesced, 8 to_the_minute, 16 to_the_second, 32 replayed, 64 wiped,
    -- 128 clock_ahead, 256 imported as read, 512 pinned
  remote_id      TEXT,                               -- the network's id, else session:byte offset; null when it has neither
  body           TEXT,                               -- text, reason, topic or new name; null where there is none
  edited_at_us   INTEGER,                            -- since when it says what is in body; null while that is the original
  deleted_at_us  INTEGER,                            -- when it was deleted; null while it is there; its body stays
  reply_to       TEXT                                -- network's id of the message that it answers, in the same room; or null
) STRICT;
CREATE INDEX message_room ON message (room_id, noise);
CREATE UNIQUE INDEX message_remote ON message (room_id, remote_id) WHERE remote_id IS NOT NULL;
CREATE TABLE id_run (
  first_us INTEGER PRIMARY KEY,                      -- first used id
  last_us  INTEGER NOT NULL CHECK (last_us >= first_us)  -- last used id
) STRICT;
CREATE TABLE chunk (
  session_id     INTEGER NOT NULL REFERENCES session (id),
  offset         INTEGER NOT NULL,                   -- bytes of the session that came before
  received_at_us INTEGER NOT NULL,                   -- when, by our clock
  bytes          BLOB NOT NULL,                      -- of one read, as they came
  PRIMARY KEY (session_id, offset)
) STRICT, WITHOUT ROWID;
CREATE TABLE coverage (
  id         INTEGER PRIMARY KEY,
  room_id    INTEGER NOT NULL REFERENCES room (id),
  from_us    INTEGER NOT NULL,                       -- first instant of the span
  to_us      INTEGER,                                -- null for a live span: it reaches to its session's last sign of life
  session_id INTEGER NOT NULL REFERENCES session (id),
  CHECK (to_us IS NULL OR to_us >= from_us)
) STRICT;
CREATE UNIQUE INDEX coverage_room ON coverage (room_id, from_us);
CREATE INDEX coverage_live ON coverage (session_id) WHERE to_us IS NULL;
CREATE TABLE gap_note (
  room_id     INTEGER NOT NULL REFERENCES room (id),
  from_us     INTEGER NOT NULL,                      -- end of the span before the gap
  reason      TEXT NOT NULL,                         -- a session's reason, or 'failure'
  attempts    INTEGER NOT NULL DEFAULT 0,            -- tries to end or fill it so far
  next_try_us INTEGER,                               -- null when nothing will be tried
  unfilled    TEXT,                                  -- why it could not be filled: 'refused', ...; null where it was not tried
  detail      TEXT,                                  -- the same for people: the server's words
  PRIMARY KEY (room_id, from_us)
) STRICT, WITHOUT ROWID;
CREATE TABLE failure (
  id          INTEGER PRIMARY KEY,
  room_id     INTEGER REFERENCES room (id),          -- null when it can't be told
  session_id  INTEGER REFERENCES session (id),
  remote_id   TEXT,                                  -- the network's id, where there is one
  payload     BLOB NOT NULL,                         -- what could not be stored or understood
  reason      TEXT NOT NULL,                         -- for people
  first_at_us INTEGER NOT NULL,                      -- when it was first met
  last_at_us  INTEGER NOT NULL,                      -- when it was last met
  count       INTEGER NOT NULL DEFAULT 1             -- times it was met
) STRICT;
CREATE UNIQUE INDEX failure_identity ON failure (ifnull(room_id, 0), ifnull(remote_id, payload));
CREATE TABLE change (
  seq        INTEGER PRIMARY KEY,
  what       INTEGER NOT NULL CHECK (what BETWEEN 0 AND 14),
    -- 0 message stored (subject: message.id), 1 coverage (room.id), 2 name (user.id, or -room.id for a room's),
    -- 3 message edited, 4 message deleted, 5 its reactions are others, 6 its files are others, 7 it is not read any more (message.id), 8 a session ended (session.id), 9 members (room.id), 10 something was removed (purge.id), 11 a message is forgotten (message.id), 12 a user (user.id), 13 a merge moved a message (message.id),
    -- 14 a merge changed it (user.id, or -room.id)
  subject_id INTEGER NOT NULL                        -- what it happened to
) STRICT;
CREATE TABLE read_marker (
  room_id    INTEGER PRIMARY KEY REFERENCES room (id),
  through_us INTEGER NOT NULL,                       -- id of the last message that was read
  seq        INTEGER NOT NULL,                       -- the change feed's end when the marker was set
  set_at_us  INTEGER NOT NULL                        -- when it was set, by our clock
) STRICT;
CREATE TABLE late (
  room_id    INTEGER NOT NULL REFERENCES room (id),
  seq        INTEGER NOT NULL,                       -- of the message's row in change
  message_id INTEGER NOT NULL,                       -- may be gone
  PRIMARY KEY (room_id, seq)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE message_search USING fts5(
  text,                                              -- the body: words, and pairs of Hangul, Han and Kana characters
  chars,                                             -- each such character of the body once
  facets,                                            -- all, r<room.id>, u<user.id>, k<kind> unless message, hlink with a link
  content = 'message_search_text', content_rowid = 'number', columnsize = 0, tokenize = 'unicode61'
);
CREATE TABLE search_index (
  name     TEXT PRIMARY KEY CHECK (name IN ('message_search', 'message_search_next')), -- the table
  analyser INTEGER NOT NULL,                         -- version of the rules by which a body becomes tokens
  from_us  INTEGER NOT NULL                          -- messages from this id on are in it; earlier ones are not yet
) STRICT, WITHOUT ROWID;
CREATE TABLE message_version (
  message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  at_us      INTEGER NOT NULL,                       -- since when it said this; message_id for the original
  body       TEXT,                                   -- what it said; null where there was no text
  PRIMARY KEY (message_id, at_us)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_name_ascii ON user_name (name COLLATE NOCASE);
CREATE INDEX user_name_other ON user_name (user_id, name) WHERE length(name) <> length(CAST(name AS BLOB));
CREATE TABLE workspace (
  id  INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE                           -- the network's id
) STRICT;
CREATE TABLE workspace_name (
  workspace_id  INTEGER NOT NULL REFERENCES workspace (id),
  first_seen_us INTEGER NOT NULL,                    -- when it was first seen under this name
  last_seen_us  INTEGER,                             -- when it was found to have another; null for today's name
  name          TEXT NOT NULL,                       -- as the network writes it
  PRIMARY KEY (workspace_id, first_seen_us)
) STRICT, WITHOUT ROWID;
CREATE TABLE user_picture (
  user_id       INTEGER NOT NULL REFERENCES user (id),
  first_seen_us INTEGER NOT NULL,                    -- when it was first seen
  last_seen_us  INTEGER,                             -- when there was found to be another, or none; null for today's
  path          TEXT NOT NULL,                       -- as the network gives it
  PRIMARY KEY (user_id, first_seen_us)
) STRICT, WITHOUT ROWID;
CREATE TABLE room_trouble (
  room_id     INTEGER NOT NULL REFERENCES room (id),
  about       INTEGER NOT NULL CHECK (about BETWEEN 0 AND 1),  -- 0 it can't be joined, 1 its history can't be had
  reason      TEXT NOT NULL,                         -- 'invite_only', ...; of history as gap_note.unfilled
  detail      TEXT,                                  -- the server's words
  since_us    INTEGER NOT NULL,                      -- when it was first so
  next_try_us INTEGER,                               -- null when nothing will be tried by itself
  PRIMARY KEY (room_id, about)
) STRICT, WITHOUT ROWID;
CREATE TABLE reaction (
  room_id       INTEGER NOT NULL REFERENCES room (id),
  remote_id     TEXT NOT NULL,                       -- the message's
  user_id       INTEGER NOT NULL REFERENCES user (id),  -- who reacted
  text          TEXT NOT NULL,                       -- with what, an emoji as a rule
  at_us         INTEGER NOT NULL,                    -- when last, by the network where it tells
  removed_at_us INTEGER,                             -- when it was taken back; null while it stands
  own_id        TEXT,                                -- the network's id of the reaction itself; null where it has none
  PRIMARY KEY (room_id, remote_id, user_id, text)
) STRICT, WITHOUT ROWID;
CREATE TABLE retraction (
  room_id   INTEGER NOT NULL REFERENCES room (id),
  remote_id TEXT NOT NULL,                           -- the message's or the reaction's
  user_id   INTEGER REFERENCES user (id),            -- who retracted it; null where that is not told
  at_us     INTEGER NOT NULL,                        -- when, by the network where it tells
  reason    TEXT,                                    -- why, in their words; null where they gave none
  wipes     INTEGER NOT NULL CHECK (wipes IN (0, 1)),  -- 1 when no text of it is to be kept
  PRIMARY KEY (room_id, remote_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX reaction_own_id ON reaction (room_id, own_id) WHERE own_id IS NOT NULL;
CREATE TABLE imported_span (
  room_id INTEGER NOT NULL REFERENCES room (id),
  from_us INTEGER NOT NULL,                          -- the log's first line
  to_us   INTEGER NOT NULL,                          -- the log's last line
  PRIMARY KEY (room_id, from_us),
  CHECK (to_us >= from_us)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_reply ON message (room_id, reply_to) WHERE reply_to IS NOT NULL;
CREATE INDEX message_moved ON message (source_time_us) WHERE source_time_us < id - id % 60000000;
CREATE INDEX membership_present ON membership (room_id, user_id) WHERE left_at_us IS NULL;
CREATE INDEX room_name_exact ON room_name (name) WHERE last_seen_us IS NULL;
CREATE INDEX room_name_irc ON room_name (
  replace(replace(replace(replace(name, '[', '{'), '\', '|'), ']', '}'), '~', '^') COLLATE NOCASE
) WHERE last_seen_us IS NULL;
CREATE INDEX message_version_body ON message_version (message_id, body);
CREATE TABLE sender_count (
  room_id   INTEGER NOT NULL REFERENCES room (id),
  sender_id INTEGER NOT NULL REFERENCES user (id),
  messages  INTEGER NOT NULL,                        -- their rows of message without noise, kept by the writer and message_gone
  PRIMARY KEY (room_id, sender_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER message_gone AFTER DELETE ON message BEGIN
  UPDATE room SET messages = messages - 1 WHERE id = OLD.room_id;
  UPDATE sender_count SET messages = messages - 1
    WHERE OLD.noise = 0 AND room_id = OLD.room_id AND sender_id = OLD.sender_id;
  INSERT INTO id_run (first_us, last_us)
    SELECT OLD.id, OLD.id
    WHERE coalesce((SELECT last_us FROM id_run WHERE first_us <= OLD.id ORDER BY first_us DESC LIMIT 1), OLD.id - 1)
      < OLD.id;
END;
CREATE INDEX room_name_any ON room_name (name);
CREATE INDEX sender_count_sender ON sender_count (sender_id);
CREATE TABLE content (
  sha256 TEXT PRIMARY KEY,                           -- of the bytes, in hexadecimal; they are in attachments/ under it
  bytes  INTEGER                                     -- how many; null only where a damaged earlier file did not say
) STRICT, WITHOUT ROWID;
CREATE TABLE file (
  id          INTEGER PRIMARY KEY,
  path        TEXT NOT NULL,                         -- as the network or the import gives it
  sha256      TEXT REFERENCES content (sha256),      -- its content; null while that is not here
  bytes       INTEGER,                               -- how many the network says; null where it does not, and once it is here
  state       INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 5),
    -- 0 not here, 1 here, 2 larger than the limit, 3 the network has it no more, 4 not the network's own, so never asked for, 5 removed by a rule
  attempts    INTEGER NOT NULL DEFAULT 0,            -- tries to fetch it so far
  tried_at_us INTEGER,                               -- when it was tried last, or came; null when it never was
  next_try_us INTEGER,                               -- null when nothing will be tried by itself
  error       TEXT,                                  -- why the last try failed, for people
  asked       INTEGER NOT NULL DEFAULT 0,            -- 1 while somebody waits for it, whatever the configuration says
  limit_bytes INTEGER,                               -- of state 2, the limit
  part_bytes  INTEGER,                               -- how much is in attachments/unfinished/; null where nothing is
  part_tag    TEXT,                                  -- what the network calls that content; null where nothing is
  CHECK ((state = 1) = (sha256 IS NOT NULL)),
  CHECK (sha256 IS NULL OR bytes IS NULL)
) STRICT;
CREATE TABLE attachment (
  id         INTEGER PRIMARY KEY,                    -- order of the files of a message
  message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  file_id    INTEGER NOT NULL REFERENCES file (id),
  bytes      INTEGER,                                -- how many the message says; null where it does not, or is right
  UNIQUE (message_id, file_id)
) STRICT;
CREATE INDEX attachment_file ON attachment (file_id);
CREATE UNIQUE INDEX file_path ON file (path, ifnull(sha256, ''));
CREATE INDEX file_content ON file (sha256);
CREATE INDEX file_missing ON file (id) WHERE state = 0;
CREATE INDEX file_asked ON file (id) WHERE asked = 1;
CREATE INDEX file_part ON file (path) WHERE part_bytes IS NOT NULL;
CREATE TRIGGER file_gone AFTER DELETE ON file BEGIN
  DELETE FROM content WHERE sha256 = OLD.sha256 AND NOT EXISTS (SELECT 1 FROM file WHERE sha256 = OLD.sha256);
END;
CREATE TRIGGER file_lost AFTER UPDATE OF sha256 ON file BEGIN
  DELETE FROM content WHERE sha256 = OLD.sha256 AND NOT EXISTS (SELECT 1 FROM file WHERE sha256 = OLD.sha256);
END;
CREATE TABLE purge (
  id       INTEGER PRIMARY KEY,
  room_id  INTEGER REFERENCES room (id),             -- null for raw bytes, which rules remove from the whole account
  what     INTEGER NOT NULL CHECK (what BETWEEN 0 AND 3), -- 0 messages, 1 joins and the like, 2 raw bytes, 3 files
  rule     TEXT NOT NULL,                            -- as the configuration has it; 'forget' for what was forgotten
  kept_us  INTEGER,                                  -- the age at which the rule removes; null for what was forgotten
  first_us INTEGER NOT NULL,                         -- message.id of the first that was removed
  last_us  INTEGER NOT NULL,                         -- and of the last
  count    INTEGER NOT NULL CHECK (count > 0),       -- how many were removed
  at_us    INTEGER NOT NULL,                         -- when the last of them was removed, by our clock
  CHECK (first_us <= last_us)
) STRICT;
CREATE INDEX purge_room ON purge (room_id, what, last_us);
CREATE TABLE hold (
  name      TEXT PRIMARY KEY,                        -- as its owner calls it
  room_id   INTEGER REFERENCES room (id),            -- null for all rooms
  from_us   INTEGER,                                 -- the first instant that is held; null for all before to_us
  to_us     INTEGER,                                 -- the first instant that is not; null for all from from_us on
  reason    TEXT,                                    -- for people; null if none was given
  set_at_us INTEGER NOT NULL,                        -- when it was set, by our clock
  CHECK (from_us < to_us)
) STRICT;
CREATE TABLE applied_rule (
  rule        TEXT PRIMARY KEY,                      -- as in purge
  first_at_us INTEGER NOT NULL                       -- when it was applied first, by our clock
) STRICT;
CREATE TABLE forgotten (
  digest BLOB PRIMARY KEY                            -- 16 bytes; ForgottenDigests says of what
) STRICT, WITHOUT ROWID;
CREATE TABLE forgotten_key (
  id      INTEGER PRIMARY KEY CHECK (id = 1),
  key     BLOB NOT NULL,                             -- 32 random bytes, as in the catalog
  digests INTEGER NOT NULL DEFAULT 0,                -- rows of forgotten
  scrub   INTEGER NOT NULL DEFAULT 0 CHECK (scrub BETWEEN 0 AND 3)
    -- the file may still have traces: 1 the index is to be merged, 2 it is being merged, 3 unused pages are left; 0 it is clean
) STRICT;
CREATE TABLE content_gone (
  sha256 TEXT PRIMARY KEY                            -- as in content
) STRICT, WITHOUT ROWID;
CREATE TRIGGER content_gone AFTER DELETE ON content BEGIN
  INSERT INTO content_gone (sha256) VALUES (OLD.sha256) ON CONFLICT DO NOTHING;
END;
CREATE TABLE purged_before (
  digest  BLOB PRIMARY KEY,                          -- 16 bytes, of the account, a room's key and noise
  last_us INTEGER NOT NULL                           -- message.id of the last that was removed
) STRICT, WITHOUT ROWID;
CREATE TABLE network_place (
  id    INTEGER PRIMARY KEY CHECK (id = 1),
  place TEXT NOT NULL                                -- everything before it is stored
) STRICT;
CREATE TABLE history_place (
  room_id INTEGER NOT NULL REFERENCES room (id),
  end_us  INTEGER NOT NULL,                          -- everything from the place up to this time is stored
  place   TEXT NOT NULL,                             -- the network's own; the history before it is still to be fetched
  PRIMARY KEY (room_id, end_us)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_encrypted ON message (room_id)
  WHERE flags & 1024 != 0 AND body IS NULL AND deleted_at_us IS NULL;
CREATE TABLE message_digest (
  block  INTEGER PRIMARY KEY,                        -- the messages' ids divided by 2^32: 72 minutes
  digest INTEGER NOT NULL                            -- of its messages without noise, combined by XOR
) STRICT;
CREATE TABLE digest_reach (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  from_block INTEGER NOT NULL                        -- blocks from this one on have digests; earlier ones do not yet
) STRICT;
CREATE TABLE search_slot (
  slot  INTEGER PRIMARY KEY,                         -- ids divided by 2^18: a quarter of a second
  first INTEGER NOT NULL                             -- of its messages, the one that was indexed first: its number is the slot's
) STRICT;
CREATE VIEW message_search_text AS SELECT
  id,                                                -- rowid of an index by earlier versions
  iif(id < 0, id, iif(id < 1 << 54 AND ifnull((SELECT first FROM search_slot WHERE slot = id >> 18), id) = id,
    id >> 18, id + (1 << 36))) AS number,            -- rowid of message_search
  body AS text,                                      -- as it is in message; the index has its words
  NULL AS chars,                                     -- of the other columns there are only words
  NULL AS facets
FROM message
WHERE noise = 0;
CREATE VIEW hits AS SELECT
  m.id,                                              -- message.id
  words                                              -- for conditions: words MATCH 'text : coffee'
FROM (SELECT message_search AS words, rowid AS number, (SELECT first FROM search_slot WHERE slot = message_search.rowid) AS first,
    iif(rowid BETWEEN 0 AND (1 << 36) - 1, 18, 0) AS bits,
    -- In an index by an earlier version, the id is the rowid.
    iif(rowid < 1 << 36 OR (SELECT analyser FROM search_index WHERE name = 'message_search') < 3, 0, 1 << 36) AS added
  FROM message_search) AS s
  JOIN message AS m ON m.id BETWEEN ifnull(first, (number - added) << bits)
    AND ifnull(first, ((number - added) << bits) + (1 << bits) - 1) AND m.noise = 0 AND m.id >> bits = number - added;
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
CREATE INDEX message_topic ON message (room_id) WHERE kind = 8;
CREATE TABLE merge (
  id        INTEGER PRIMARY KEY,
  what      INTEGER NOT NULL CHECK (what BETWEEN 0 AND 1), -- 0 people, 1 rooms
  from_id   INTEGER NOT NULL,                        -- user.id or room.id of the merged one, whose row stays for its key
  chosen_id INTEGER NOT NULL,                        -- the one into which it was merged
  into_id   INTEGER NOT NULL,                        -- the same, or the one into which that was merged later
  at_us     INTEGER NOT NULL,                        -- when, by our clock
  is_done   INTEGER NOT NULL DEFAULT 0 CHECK (is_done IN (0, 1)), -- 0 while messages are being moved, there or back
  UNIQUE (what, from_id)
) STRICT;
CREATE TABLE merge_message (
  merge_id   INTEGER NOT NULL REFERENCES merge (id) ON DELETE CASCADE,
  message_id INTEGER NOT NULL,                       -- may be gone
  is_marked  INTEGER NOT NULL,                       -- 1 if the merge marked it as read on arrival
  PRIMARY KEY (merge_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE merge_row (
  id       INTEGER PRIMARY KEY,                      -- order of the changes
  merge_id INTEGER NOT NULL REFERENCES merge (id) ON DELETE CASCADE,
  source   TEXT NOT NULL,                            -- the table
  was      TEXT,                                     -- the row's columns before, as a JSON array; null for an added row
  now      TEXT                                      -- and afterwards; null for a removed row
) STRICT;
CREATE INDEX merge_row_merge ON merge_row (merge_id);
CREATE TABLE own_name (
  source INTEGER NOT NULL CHECK (source BETWEEN 0 AND 1), -- 0 the configuration, 1 a command
  place  INTEGER NOT NULL,                           -- order in the list
  name   TEXT NOT NULL,                              -- as given
  PRIMARY KEY (source, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE bridge (
  id        INTEGER PRIMARY KEY,
  bot_id    INTEGER NOT NULL REFERENCES user (id),
  bot       TEXT NOT NULL,                           -- its name, as in the keys of the bridge's people
  pattern   TEXT NOT NULL,                           -- '<{nick}> {text}'
  at_us     INTEGER NOT NULL,                        -- when the bridge was made, by our clock
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)), -- 0 while its messages are being given back
  is_done   INTEGER NOT NULL DEFAULT 0 CHECK (is_done IN (0, 1)), -- 0 while messages are being moved, there or back
  UNIQUE (bot_id, pattern)
) STRICT;
CREATE TABLE room_picture (
  room_id       INTEGER NOT NULL REFERENCES room (id),
  first_seen_us INTEGER NOT NULL,                    -- when it was first seen
  last_seen_us  INTEGER,                             -- when there was found to be another, or none; null for today's
  path          TEXT NOT NULL,                       -- as the network gives it
  PRIMARY KEY (room_id, first_seen_us)
) STRICT, WITHOUT ROWID;
CREATE TABLE workspace_picture (
  workspace_id  INTEGER NOT NULL REFERENCES workspace (id),
  first_seen_us INTEGER NOT NULL,                    -- when it was first seen
  last_seen_us  INTEGER,                             -- when there was found to be another, or none; null for today's
  path          TEXT NOT NULL,                       -- as the network gives it
  PRIMARY KEY (workspace_id, first_seen_us)
) STRICT, WITHOUT ROWID;
CREATE TABLE room_description (
  room_id       INTEGER NOT NULL REFERENCES room (id),
  first_seen_us INTEGER NOT NULL,                    -- when it was first seen
  last_seen_us  INTEGER,                             -- when there was found to be another, or none; null for today's
  text          TEXT NOT NULL,                       -- as the network gives it
  PRIMARY KEY (room_id, first_seen_us)
) STRICT, WITHOUT ROWID;
CREATE TABLE room_owner (
  room_id       INTEGER NOT NULL REFERENCES room (id),
  first_seen_us INTEGER NOT NULL,                    -- when they were first seen as the owner
  last_seen_us  INTEGER,                             -- when there was found to be another, or none; null for today's
  user_id       INTEGER NOT NULL REFERENCES user (id),
  PRIMARY KEY (room_id, first_seen_us)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_picture_path ON user_picture (path);
CREATE INDEX room_picture_path ON room_picture (path);
CREATE INDEX workspace_picture_path ON workspace_picture (path);
CREATE TRIGGER attachment_gone AFTER DELETE ON attachment BEGIN
  DELETE FROM file WHERE id = OLD.file_id AND NOT EXISTS (SELECT 1 FROM attachment WHERE file_id = OLD.file_id)
    AND (EXISTS (SELECT 1 FROM file AS other WHERE other.path = file.path AND other.id <> file.id)
      OR NOT EXISTS (SELECT 1 FROM user_picture WHERE path = file.path)
        AND NOT EXISTS (SELECT 1 FROM room_picture WHERE path = file.path)
        AND NOT EXISTS (SELECT 1 FROM workspace_picture WHERE path = file.path));
END;
CREATE TRIGGER attachment_moved AFTER UPDATE OF file_id ON attachment BEGIN
  DELETE FROM file WHERE id = OLD.file_id AND NOT EXISTS (SELECT 1 FROM attachment WHERE file_id = OLD.file_id)
    AND (EXISTS (SELECT 1 FROM file AS other WHERE other.path = file.path AND other.id <> file.id)
      OR NOT EXISTS (SELECT 1 FROM user_picture WHERE path = file.path)
        AND NOT EXISTS (SELECT 1 FROM room_picture WHERE path = file.path)
        AND NOT EXISTS (SELECT 1 FROM workspace_picture WHERE path = file.path));
END;
CREATE TRIGGER user_picture_gone AFTER DELETE ON user_picture BEGIN
  DELETE FROM file WHERE path = OLD.path AND NOT EXISTS (SELECT 1 FROM attachment WHERE file_id = file.id)
    AND NOT EXISTS (SELECT 1 FROM user_picture WHERE path = OLD.path)
    AND NOT EXISTS (SELECT 1 FROM room_picture WHERE path = OLD.path)
    AND NOT EXISTS (SELECT 1 FROM workspace_picture WHERE path = OLD.path);
END;
CREATE TRIGGER room_picture_gone AFTER DELETE ON room_picture BEGIN
  DELETE FROM file WHERE path = OLD.path AND NOT EXISTS (SELECT 1 FROM attachment WHERE file_id = file.id)
    AND NOT EXISTS (SELECT 1 FROM user_picture WHERE path = OLD.path)
    AND NOT EXISTS (SELECT 1 FROM room_picture WHERE path = OLD.path)
    AND NOT EXISTS (SELECT 1 FROM workspace_picture WHERE path = OLD.path);
END;
CREATE TRIGGER workspace_picture_gone AFTER DELETE ON workspace_picture BEGIN
  DELETE FROM file WHERE path = OLD.path AND NOT EXISTS (SELECT 1 FROM attachment WHERE file_id = file.id)
    AND NOT EXISTS (SELECT 1 FROM user_picture WHERE path = OLD.path)
    AND NOT EXISTS (SELECT 1 FROM room_picture WHERE path = OLD.path)
    AND NOT EXISTS (SELECT 1 FROM workspace_picture WHERE path = OLD.path);
END;
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
CREATE TABLE message_raw (
  message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  at_us      INTEGER NOT NULL,                       -- since when the message said this; message_id for the original
  bytes      BLOB NOT NULL,                          -- as they came
  PRIMARY KEY (message_id, at_us)
) STRICT, WITHOUT ROWID;
INSERT INTO search_index VALUES ('message_search', 4, -9223372036854775808);
INSERT INTO digest_reach VALUES (1, -9223372036854775808);
PRAGMA application_id = 0x53424152;
PRAGMA user_version = 38;
