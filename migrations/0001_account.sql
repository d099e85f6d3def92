-- The archive of one account. Times are microseconds since 1970-01-01 UTC (…_us). docs/schema.md explains the tables.
-- The comments inside the statements are what `.schema` shows; those between them are for readers of this file.

-- Rooms and people.

CREATE TABLE account (
  id            INTEGER PRIMARY KEY CHECK (id = 1),  -- a file has one account
  name          TEXT NOT NULL,                       -- as in the configuration
  network       TEXT NOT NULL,                       -- kind of service: 'streamchat', ...
  epoch         TEXT NOT NULL,                       -- random id; another one when the numbers in change begin again
  created_at_us INTEGER NOT NULL                     -- when the file was made, by this machine's clock
) STRICT;

CREATE TABLE room (
  id               INTEGER PRIMARY KEY,
  key              TEXT NOT NULL UNIQUE,             -- the network's id, or the folded name; '' for a server's one room
  kind             TEXT NOT NULL CHECK (kind IN ('channel', 'group', 'direct', 'server')),
    -- a group has several people; a direct room is a conversation with one person or a few; a server is one room
  messages         INTEGER NOT NULL DEFAULT 0,       -- number of rows of message; the writer and message_gone keep it
  workspace_id     INTEGER REFERENCES workspace (id),  -- null on networks without workspaces, and until the room is listed
  partner_id       INTEGER REFERENCES user (id),     -- the other user of a direct room; null for other rooms
  left_at_us       INTEGER,                          -- when the room left the account's list; null while it is listed
  gone_at_us       INTEGER,                          -- when the network removed the room; null while it exists; its history stays
  asked_back_to_us INTEGER                           -- how far back history before the first span was requested; null if not
) STRICT;

-- The row without last_seen_us has today's name; so it is with the other tables of names, pictures, descriptions and owners.
CREATE TABLE room_name (
  room_id       INTEGER NOT NULL REFERENCES room (id),
  first_seen_us INTEGER NOT NULL,                    -- id of the first event under this name
  last_seen_us  INTEGER,                             -- when the next name was seen; null for today's name
  name          TEXT NOT NULL,                       -- as the network writes it
  PRIMARY KEY (room_id, first_seen_us)
) STRICT, WITHOUT ROWID;
CREATE INDEX room_name_any ON room_name (name);
-- Today's names, byte for byte, and without case as IRC compares them (RFC 1459 §2.2).
CREATE INDEX room_name_exact ON room_name (name) WHERE last_seen_us IS NULL;
CREATE INDEX room_name_irc ON room_name (
  replace(replace(replace(replace(name, '[', '{'), '\', '|'), ']', '}'), '~', '^') COLLATE NOCASE
) WHERE last_seen_us IS NULL;

CREATE TABLE user (
  id      INTEGER PRIMARY KEY,
  key     TEXT UNIQUE,                               -- the network's id, or the folded name; null after another user took the name
  is_self INTEGER NOT NULL DEFAULT 0 CHECK (is_self IN (0, 1)), -- 1 for the account's own person
  self_by INTEGER NOT NULL DEFAULT 0 CHECK (self_by BETWEEN 0 AND 2)
    -- who says so besides own_name: 0 nobody, 1 the network or an export, 2 an export by a word such as 나
) STRICT;

CREATE TABLE user_name (
  user_id       INTEGER NOT NULL REFERENCES user (id),
  first_seen_us INTEGER NOT NULL,                    -- id of the first event under this name
  last_seen_us  INTEGER,                             -- when the next name was seen; null for today's name
  name          TEXT NOT NULL,                       -- as the network writes it
  PRIMARY KEY (user_id, first_seen_us)
) STRICT, WITHOUT ROWID;
-- Finds a name without case; SQLite knows the case of ASCII only, so the other names are compared one by one.
CREATE INDEX user_name_ascii ON user_name (name COLLATE NOCASE);
CREATE INDEX user_name_other ON user_name (user_id, name) WHERE length(name) <> length(CAST(name AS BLOB));

-- The names and ids that the account's owner has given. There are two lists, so that each can be replaced.
CREATE TABLE own_name (
  source INTEGER NOT NULL CHECK (source BETWEEN 0 AND 1), -- 0 the configuration, 1 a command
  place  INTEGER NOT NULL,                           -- order in the list
  name   TEXT NOT NULL,                              -- as given
  PRIMARY KEY (source, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE workspace (
  id  INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE                           -- the network's id
) STRICT;

CREATE TABLE workspace_name (
  workspace_id  INTEGER NOT NULL REFERENCES workspace (id),
  first_seen_us INTEGER NOT NULL,                    -- when it was first seen under this name
  last_seen_us  INTEGER,                             -- when the next name was seen; null for today's name
  name          TEXT NOT NULL,                       -- as the network writes it
  PRIMARY KEY (workspace_id, first_seen_us)
) STRICT, WITHOUT ROWID;

-- A picture's file is the row of file with its path.
CREATE TABLE user_picture (
  user_id       INTEGER NOT NULL REFERENCES user (id),
  first_seen_us INTEGER NOT NULL,                    -- when it was first seen
  last_seen_us  INTEGER,                             -- when the next one, or none, was seen; null for today's
  path          TEXT NOT NULL,                       -- as the network gives it
  PRIMARY KEY (user_id, first_seen_us)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_picture_path ON user_picture (path);

CREATE TABLE room_picture (
  room_id       INTEGER NOT NULL REFERENCES room (id),
  first_seen_us INTEGER NOT NULL,                    -- when it was first seen
  last_seen_us  INTEGER,                             -- when the next one, or none, was seen; null for today's
  path          TEXT NOT NULL,                       -- as the network gives it
  PRIMARY KEY (room_id, first_seen_us)
) STRICT, WITHOUT ROWID;
CREATE INDEX room_picture_path ON room_picture (path);

CREATE TABLE workspace_picture (
  workspace_id  INTEGER NOT NULL REFERENCES workspace (id),
  first_seen_us INTEGER NOT NULL,                    -- when it was first seen
  last_seen_us  INTEGER,                             -- when the next one, or none, was seen; null for today's
  path          TEXT NOT NULL,                       -- as the network gives it
  PRIMARY KEY (workspace_id, first_seen_us)
) STRICT, WITHOUT ROWID;
CREATE INDEX workspace_picture_path ON workspace_picture (path);

-- For networks whose description is not the topic, which is a message.
CREATE TABLE room_description (
  room_id       INTEGER NOT NULL REFERENCES room (id),
  first_seen_us INTEGER NOT NULL,                    -- when it was first seen
  last_seen_us  INTEGER,                             -- when the next one, or none, was seen; null for today's
  text          TEXT NOT NULL,                       -- as the network gives it
  PRIMARY KEY (room_id, first_seen_us)
) STRICT, WITHOUT ROWID;

CREATE TABLE room_owner (
  room_id       INTEGER NOT NULL REFERENCES room (id),
  first_seen_us INTEGER NOT NULL,                    -- when this person was first seen as the owner
  last_seen_us  INTEGER,                             -- when the next one, or none, was seen; null for today's
  user_id       INTEGER NOT NULL REFERENCES user (id),
  PRIMARY KEY (room_id, first_seen_us)
) STRICT, WITHOUT ROWID;

-- The people who were last known to be in a room, by what was received live.
CREATE TABLE membership (
  room_id      INTEGER NOT NULL REFERENCES room (id),
  user_id      INTEGER NOT NULL REFERENCES user (id),
  joined_at_us INTEGER,                              -- null if the user was there before the account
  left_at_us   INTEGER,                              -- null while in the room
  PRIMARY KEY (room_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX membership_present ON membership (room_id, user_id) WHERE left_at_us IS NULL;

-- Kept so that no reader has to count. Joins, leaves, renames and changes of mode don't count.
CREATE TABLE sender_count (
  room_id   INTEGER NOT NULL REFERENCES room (id),
  sender_id INTEGER NOT NULL REFERENCES user (id),
  messages  INTEGER NOT NULL,                        -- number of rows of message without noise; the writer and message_gone keep it
  PRIMARY KEY (room_id, sender_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sender_count_sender ON sender_count (sender_id);

-- Connections and gaps.

CREATE TABLE session (
  id                   INTEGER PRIMARY KEY,
  started_at_us        INTEGER NOT NULL,             -- when the connection was open
  last_sign_of_life_us INTEGER NOT NULL,             -- the last proof that the peer was there; everything before it is stored
  ended_at_us          INTEGER,                      -- null while it lasts; then equal to last_sign_of_life_us
  reason               TEXT,                         -- why it ended: stopped closed lost silent crashed clock_step violation store
  detail               TEXT,                         -- the reason, for people
  bytes                INTEGER NOT NULL DEFAULT 0,   -- length of the session's journal
  position             INTEGER NOT NULL DEFAULT 0,   -- number of these bytes that were parsed
  aged                 INTEGER NOT NULL DEFAULT 0,   -- number of bytes, from the beginning, that are no longer kept
  clock_lead_us        INTEGER NOT NULL DEFAULT 0,   -- how far the network's clock is ahead of ours; 0 if it gives no times
  heard_until_us       INTEGER NOT NULL
    GENERATED ALWAYS AS (last_sign_of_life_us + clock_lead_us) VIRTUAL,  -- by the network's clock; live spans end here
  ahead_us             INTEGER NOT NULL DEFAULT 0,   -- how far times of receipt are ahead of the wall clock; usually 0
  booted_at_us         INTEGER,                      -- start of the machine as a time of receipt; null if unknown
  boot                 TEXT,                         -- the kernel's id of that start; null if unknown
  CHECK ((ended_at_us IS NULL) = (reason IS NULL))
) STRICT;
CREATE INDEX session_open ON session (id) WHERE ended_at_us IS NULL;
CREATE INDEX session_unparsed ON session (id) WHERE position < bytes;

-- The journal of StreamChat: every read, unchanged, so that it can be parsed again.
CREATE TABLE chunk (
  session_id     INTEGER NOT NULL REFERENCES session (id),
  offset         INTEGER NOT NULL,                   -- number of earlier bytes of the session
  received_at_us INTEGER NOT NULL,                   -- when, by this machine's clock
  bytes          BLOB NOT NULL,                      -- of one read, unchanged
  PRIMARY KEY (session_id, offset)
) STRICT, WITHOUT ROWID;

-- The spans of time in which a room is known to be complete, both ends included. Spans of one room never overlap.
CREATE TABLE coverage (
  id         INTEGER PRIMARY KEY,
  room_id    INTEGER NOT NULL REFERENCES room (id),
  from_us    INTEGER NOT NULL,                       -- first instant of the span
  to_us      INTEGER,                                -- last one; null for a live span, which ends with its session
  session_id INTEGER NOT NULL REFERENCES session (id),
  CHECK (to_us IS NULL OR to_us >= from_us)
) STRICT;
CREATE UNIQUE INDEX coverage_room ON coverage (room_id, from_us);
CREATE INDEX coverage_live ON coverage (session_id) WHERE to_us IS NULL;

-- The times of imported logs, both ends included. They prove nothing. Spans of one room never overlap or touch.
CREATE TABLE imported_span (
  room_id INTEGER NOT NULL REFERENCES room (id),
  from_us INTEGER NOT NULL,                          -- the log's first line
  to_us   INTEGER NOT NULL,                          -- the log's last line
  PRIMARY KEY (room_id, from_us),
  CHECK (to_us >= from_us)
) STRICT, WITHOUT ROWID;

-- The reasons of gaps. The gaps themselves follow from coverage.
CREATE TABLE gap_note (
  room_id     INTEGER NOT NULL REFERENCES room (id),
  from_us     INTEGER NOT NULL,                      -- end of the span before the gap
  reason      TEXT NOT NULL,                         -- a session's reason, or 'failure'
  attempts    INTEGER NOT NULL DEFAULT 0,            -- number of attempts to end or fill it
  next_try_us INTEGER,                               -- time of the next attempt; null if none is planned
  unfilled    TEXT,                                  -- why history did not fill it: 'refused', ...; null if not requested
  detail      TEXT,                                  -- the same in the server's words
  PRIMARY KEY (room_id, from_us)
) STRICT, WITHOUT ROWID;

-- The present problems of rooms.
CREATE TABLE room_trouble (
  room_id     INTEGER NOT NULL REFERENCES room (id),
  about       INTEGER NOT NULL CHECK (about BETWEEN 0 AND 1),  -- 0 it can't be joined, 1 its history is unavailable
  reason      TEXT NOT NULL,                         -- 'invite_only', ...; for history as gap_note.unfilled
  detail      TEXT,                                  -- the server's words
  since_us    INTEGER NOT NULL,                      -- time of the first occurrence
  next_try_us INTEGER,                               -- time of the next attempt; null if none is planned
  PRIMARY KEY (room_id, about)
) STRICT, WITHOUT ROWID;

CREATE TABLE network_place (
  id    INTEGER PRIMARY KEY CHECK (id = 1),
  place TEXT NOT NULL                                -- in the network's stream of events; everything before it is stored
) STRICT;

CREATE TABLE history_place (
  room_id INTEGER NOT NULL REFERENCES room (id),
  end_us  INTEGER NOT NULL,                          -- everything from the place up to this time is stored
  place   TEXT NOT NULL,                             -- the network's own; the history before it is still to be fetched
  PRIMARY KEY (room_id, end_us)
) STRICT, WITHOUT ROWID;

-- Messages.

CREATE TABLE message (
  id             INTEGER PRIMARY KEY,                -- time of the message, made unique: primary key, order, cursor
  room_id        INTEGER NOT NULL REFERENCES room (id),
  kind           INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 10),
    -- 0 message 1 action 2 notice 3 system 4 join 5 leave 6 kick 7 rename 8 topic 9 mode 10 invite
  noise          INTEGER NOT NULL AS (kind = 4 OR kind = 5 OR kind = 7 OR kind = 9) VIRTUAL,  -- 1 if --hide joins hides it
  sender_id      INTEGER REFERENCES user (id),       -- null for the server's own lines
  session_id     INTEGER REFERENCES session (id),    -- the connection that brought it; null if imported
  received_at_us INTEGER,                            -- when it was received or imported; null if that is the id
  source_time_us INTEGER,                            -- the network's time for it; null if there is none, or it is the id
  flags          INTEGER NOT NULL DEFAULT 0,
    -- bits: 1 invalid_utf8, 2 oversize, 4 maybe_coalesced, 8 to_the_minute, 16 to_the_second, 32 replayed, 64 wiped,
    -- 128 clock_ahead, 256 imported as read, 512 pinned, 1024 encrypted, 2048 standing topic, 4096 from a bot, 8192 has a reaction
  remote_id      TEXT,                               -- the network's id, or session:byte offset; null if it has neither
  body           TEXT,                               -- text, reason, topic or new name; null if there is none
  edited_at_us   INTEGER,                            -- since when it has the text in body; null if it was never edited
  deleted_at_us  INTEGER,                            -- when it was deleted; null if it is not; body stays
  reply_to       TEXT                                -- network's id of the message that it answers, in the same room; or null
) STRICT;
-- Pages of a room, with and without noise. Every index ends with the id.
CREATE INDEX message_room ON message (room_id, noise);
CREATE UNIQUE INDEX message_remote ON message (room_id, remote_id) WHERE remote_id IS NOT NULL;
CREATE INDEX message_reply ON message (room_id, reply_to) WHERE reply_to IS NOT NULL;
-- Messages in a later minute than their time, because the source's clock had gone back: an import looks for them by their time.
CREATE INDEX message_moved ON message (source_time_us) WHERE source_time_us < id - id % 60000000;
CREATE INDEX message_encrypted ON message (room_id)
  WHERE flags & 1024 != 0 AND body IS NULL AND deleted_at_us IS NULL;
-- Finds the last topic of a room in one look-up.
CREATE INDEX message_topic ON message (room_id) WHERE kind = 8;

CREATE TABLE id_run (
  first_us INTEGER PRIMARY KEY,                      -- first id of a run of ids that can't be used again
  last_us  INTEGER NOT NULL CHECK (last_us >= first_us)  -- last id of the run
) STRICT;

-- The earlier texts of messages. The first is the original, unless an edit came before its message.
CREATE TABLE message_version (
  message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  at_us      INTEGER NOT NULL,                       -- since when it had this text; message_id for the original
  body       TEXT,                                   -- the text; null if there was none
  PRIMARY KEY (message_id, at_us)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_version_body ON message_version (message_id, body);

-- Reactions name their message by the network's id, because it may come later.
CREATE TABLE reaction (
  room_id       INTEGER NOT NULL REFERENCES room (id),
  remote_id     TEXT NOT NULL,                       -- of the message
  user_id       INTEGER NOT NULL REFERENCES user (id),  -- who reacted
  text          TEXT NOT NULL,                       -- usually an emoji
  at_us         INTEGER NOT NULL,                    -- the last time, by the network's clock if it gives times
  removed_at_us INTEGER,                             -- when it was removed; null while it stands
  own_id        TEXT,                                -- the network's id of the reaction; null if it has none
  PRIMARY KEY (room_id, remote_id, user_id, text)
) STRICT, WITHOUT ROWID;
CREATE INDEX reaction_own_id ON reaction (room_id, own_id) WHERE own_id IS NOT NULL;

-- Retractions, on networks that report who retracted. The message or reaction may come later.
CREATE TABLE retraction (
  room_id   INTEGER NOT NULL REFERENCES room (id),
  remote_id TEXT NOT NULL,                           -- of the message or the reaction
  user_id   INTEGER REFERENCES user (id),            -- who retracted it; null if unknown
  at_us     INTEGER NOT NULL,                        -- when, by the network's clock if it gives times
  reason    TEXT,                                    -- in their words; null if none was given
  wipes     INTEGER NOT NULL CHECK (wipes IN (0, 1)),  -- 1 if no text of it may be kept
  PRIMARY KEY (room_id, remote_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE content (
  sha256 TEXT PRIMARY KEY,                           -- of the bytes, in hexadecimal; attachments/ has them under it
  bytes  INTEGER                                     -- their number; null if a damaged file did not say
) STRICT, WITHOUT ROWID;

-- An import may find several contents under one path. What is not here has one row for each path.
CREATE TABLE file (
  id          INTEGER PRIMARY KEY,
  path        TEXT NOT NULL,                         -- as the network or the import gives it
  sha256      TEXT REFERENCES content (sha256),      -- its content; null while the file is not here
  bytes       INTEGER,                               -- size by the network; null if it gives none, or the file is here
  state       INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 5),
    -- 0 not here, 1 here, 2 larger than the limit, 3 gone from the network, 4 not a file of the network, so never requested,
    -- 5 removed by a retention rule
  attempts    INTEGER NOT NULL DEFAULT 0,            -- number of attempts to fetch it
  tried_at_us INTEGER,                               -- time of the last attempt, or of its arrival; null if there was none
  next_try_us INTEGER,                               -- time of the next attempt; null if none is planned
  error       TEXT,                                  -- why the last attempt failed, for people
  asked       INTEGER NOT NULL DEFAULT 0,            -- 1 while a user waits for it, whatever the configuration says
  limit_bytes INTEGER,                               -- in state 2, the limit
  part_bytes  INTEGER,                               -- size of the part in attachments/unfinished/; null if there is none
  part_tag    TEXT,                                  -- the network's tag for that content; null if there is none
  CHECK ((state = 1) = (sha256 IS NOT NULL)),
  CHECK (sha256 IS NULL OR bytes IS NULL)
) STRICT;
CREATE UNIQUE INDEX file_path ON file (path, ifnull(sha256, ''));
CREATE INDEX file_content ON file (sha256);
CREATE INDEX file_missing ON file (id) WHERE state = 0;
CREATE INDEX file_asked ON file (id) WHERE asked = 1;
CREATE INDEX file_part ON file (path) WHERE part_bytes IS NOT NULL;

CREATE TABLE attachment (
  id         INTEGER PRIMARY KEY,                    -- order of a message's files
  message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  file_id    INTEGER NOT NULL REFERENCES file (id),
  bytes      INTEGER,                                -- size by the message; null if it gives none, or content has the same
  UNIQUE (message_id, file_id)
) STRICT;
CREATE INDEX attachment_file ON attachment (file_id);

CREATE TABLE content_gone (
  sha256 TEXT PRIMARY KEY                            -- of a deleted content whose bytes are still to be deleted
) STRICT, WITHOUT ROWID;

-- The search index. FTS5 stores for each word of a message how far its rowid is from the last one, so short numbers make the index a
-- third smaller; docs/schema.md has the rules. FTS5 reads the texts from a view (an external content table), so that programs that read
-- every table can read this one. Compared with content = '' that costs 0 bytes a message and 0.1% more instructions to store one; lengths
-- (columnsize = 1), which make a table of nulls, would cost 17 bytes and 7% (100,000 messages of 3 to 13 words, SQLite 3.40.1).
CREATE VIRTUAL TABLE message_search USING fts5(
  text,                                              -- the body: words, and pairs of Hangul, Han and Kana characters
  chars,                                             -- each Hangul, Han and Kana character of the body once
  facets,                                            -- all, r<room.id>, u<user.id>, k<kind> unless message, hlink with a link
  content = 'message_search_text', content_rowid = 'number', columnsize = 0, tokenize = 'unicode61'
);

CREATE TABLE search_index (
  name     TEXT PRIMARY KEY CHECK (name IN ('message_search', 'message_search_next')), -- the table
  analyser INTEGER NOT NULL,                         -- version of the rules by which a body becomes words
  from_us  INTEGER NOT NULL                          -- messages from this id on are in the index
) STRICT, WITHOUT ROWID;
INSERT INTO search_index (name, analyser, from_us) VALUES ('message_search', 7, -9223372036854775808);

CREATE TABLE search_slot (
  slot  INTEGER PRIMARY KEY,                         -- ids divided by 2^18: a quarter of a second
  first INTEGER NOT NULL                             -- the message of the slot that was indexed first: its number is the slot's
) STRICT;

-- Digests by which `archive check` finds a text that the disk or another program changed.
CREATE TABLE message_digest (
  block  INTEGER PRIMARY KEY,                        -- the messages' ids divided by 2^32: 72 minutes
  digest INTEGER NOT NULL                            -- of its messages without noise, combined by XOR
) STRICT;

CREATE TABLE digest_reach (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  from_block INTEGER NOT NULL                        -- blocks from this one on have digests
) STRICT;
INSERT INTO digest_reach (id, from_block) VALUES (1, -9223372036854775808);

-- A message is unread if its id is later than through_us, or it was stored after seq.
CREATE TABLE read_marker (
  room_id    INTEGER PRIMARY KEY REFERENCES room (id),
  through_us INTEGER NOT NULL,                       -- id of the last message that was read
  seq        INTEGER NOT NULL,                       -- end of the change feed when the marker was set
  set_at_us  INTEGER NOT NULL                        -- when it was set, by this machine's clock
) STRICT;

-- The messages that were stored after a message with a later id, in order of storing. A read marker must not skip them.
CREATE TABLE late (
  room_id    INTEGER NOT NULL REFERENCES room (id),
  seq        INTEGER NOT NULL,                       -- of the message's row in change
  message_id INTEGER NOT NULL,                       -- may be gone
  PRIMARY KEY (room_id, seq)
) STRICT, WITHOUT ROWID;

-- Failures and the change feed.

CREATE TABLE failure (
  id          INTEGER PRIMARY KEY,
  room_id     INTEGER REFERENCES room (id),          -- null if unknown
  session_id  INTEGER REFERENCES session (id),
  remote_id   TEXT,                                  -- the network's id; null if there is none
  payload     BLOB NOT NULL,                         -- what could not be stored or understood
  reason      TEXT NOT NULL,                         -- for people
  first_at_us INTEGER NOT NULL,                      -- time of the first occurrence
  last_at_us  INTEGER NOT NULL,                      -- time of the last occurrence
  count       INTEGER NOT NULL DEFAULT 1             -- number of occurrences
) STRICT;
CREATE UNIQUE INDEX failure_identity ON failure (ifnull(room_id, 0), ifnull(remote_id, payload));

CREATE TABLE change (
  seq        INTEGER PRIMARY KEY,                    -- order of commits; rows are only added
  what       INTEGER NOT NULL CHECK (what BETWEEN 0 AND 14),
    -- 0 message stored (subject: message.id), 1 coverage (room.id), 2 name (user.id, or -room.id for a room's),
    -- 3 message edited, 4 deleted, 5 with other reactions, 6 with other files, 7 no longer read (message.id),
    -- 8 session ended (session.id), 9 members (room.id), 10 removal by a rule or by forgetting (purge.id),
    -- 11 message forgotten (message.id), 12 user (user.id), 13 message moved by a merge (message.id),
    -- 14 user or room changed by a merge (user.id, or -room.id)
  subject_id INTEGER NOT NULL                        -- the row that changed
) STRICT;

-- Retention.

-- The ledger of what was removed, without its content.
CREATE TABLE purge (
  id       INTEGER PRIMARY KEY,
  room_id  INTEGER REFERENCES room (id),             -- null for raw bytes, which rules remove from the whole account
  what     INTEGER NOT NULL CHECK (what BETWEEN 0 AND 3), -- 0 messages, 1 joins and the like, 2 raw bytes, 3 files
  rule     TEXT NOT NULL,                            -- as in the configuration; 'forget' for what was forgotten
  kept_us  INTEGER,                                  -- the age at which the rule removes; null for what was forgotten
  first_us INTEGER NOT NULL,                         -- message.id of the first that was removed
  last_us  INTEGER NOT NULL,                         -- message.id of the last that was removed
  count    INTEGER NOT NULL CHECK (count > 0),       -- number of removed messages, events, bytes' messages or files
  at_us    INTEGER NOT NULL,                         -- when the last of them was removed, by this machine's clock
  CHECK (first_us <= last_us)
) STRICT;
CREATE INDEX purge_room ON purge (room_id, what, last_us);

-- What neither rules nor forgetting may remove.
CREATE TABLE hold (
  name      TEXT PRIMARY KEY,                        -- as its owner calls it
  room_id   INTEGER REFERENCES room (id),            -- null for all rooms
  from_us   INTEGER,                                 -- the first instant that is held; null for no limit
  to_us     INTEGER,                                 -- the first instant after it that is not held; null for no limit
  reason    TEXT,                                    -- for people; null if none was given
  set_at_us INTEGER NOT NULL,                        -- when it was set, by this machine's clock
  CHECK (from_us < to_us)
) STRICT;

-- A new rule that would remove much waits for its owner.
CREATE TABLE applied_rule (
  rule        TEXT PRIMARY KEY,                      -- as in purge
  first_at_us INTEGER NOT NULL                       -- when it was first applied, by this machine's clock
) STRICT;

-- Keyed hashes of what was forgotten, so that it is not stored again.
CREATE TABLE forgotten (
  digest BLOB PRIMARY KEY                            -- 16 bytes or 24; ForgottenDigests makes them
) STRICT, WITHOUT ROWID;

CREATE TABLE forgotten_key (
  id      INTEGER PRIMARY KEY CHECK (id = 1),
  key     BLOB NOT NULL,                             -- 32 random bytes, as in the catalog
  digests INTEGER NOT NULL DEFAULT 0,                -- number of rows of forgotten
  scrub   INTEGER NOT NULL DEFAULT 0 CHECK (scrub BETWEEN 0 AND 3)
    -- traces that the file may still have: 1 the index is to be merged, 2 it is being merged, 3 unused pages are left; 0 none
) STRICT;

-- What rules had removed before this file was made by restoring a backup.
CREATE TABLE purged_before (
  digest  BLOB PRIMARY KEY,                          -- 16 bytes, of the account, a room's key and noise; PurgeMemory makes them
  last_us INTEGER NOT NULL                           -- message.id of the last that was removed
) STRICT, WITHOUT ROWID;

-- Merges and bridges.

-- Each merge of a person or a room into another. Events with the merged one's key go to the other.
CREATE TABLE merge (
  id        INTEGER PRIMARY KEY,
  what      INTEGER NOT NULL CHECK (what BETWEEN 0 AND 1), -- 0 people, 1 rooms
  from_id   INTEGER NOT NULL,                        -- user.id or room.id of the merged one, whose row stays for its key
  chosen_id INTEGER NOT NULL,                        -- the one into which it was merged
  into_id   INTEGER NOT NULL,                        -- the same, or the one into which that was merged later
  at_us     INTEGER NOT NULL,                        -- when, by this machine's clock
  is_done   INTEGER NOT NULL DEFAULT 0 CHECK (is_done IN (0, 1)), -- 0 while messages are being moved, there or back
  UNIQUE (what, from_id)
) STRICT;

-- The messages and the other rows that a merge changed. `archive compact` removes them: a merge can't be undone without them.
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
  now      TEXT                                      -- the row's columns after; null for a removed row
) STRICT;
CREATE INDEX merge_row_merge ON merge_row (merge_id);

-- The bots whose messages are shown as those of other people.
CREATE TABLE bridge (
  id        INTEGER PRIMARY KEY,
  bot_id    INTEGER NOT NULL REFERENCES user (id),
  bot       TEXT NOT NULL,                           -- the bot's name, as in the keys of the bridge's people
  pattern   TEXT NOT NULL,                           -- '<{nick}> {text}'
  at_us     INTEGER NOT NULL,                        -- when the bridge was made, by this machine's clock
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)), -- 0 while its messages are being given back
  is_done   INTEGER NOT NULL DEFAULT 0 CHECK (is_done IN (0, 1)), -- 0 while messages are being moved, there or back
  UNIQUE (bot_id, pattern)
) STRICT;

-- An id is never used again after its row is gone, and the counts follow the rows.
CREATE TRIGGER message_gone AFTER DELETE ON message BEGIN
  UPDATE room SET messages = messages - 1 WHERE id = OLD.room_id;
  UPDATE sender_count SET messages = messages - 1
    WHERE OLD.noise = 0 AND room_id = OLD.room_id AND sender_id = OLD.sender_id;
  INSERT INTO id_run (first_us, last_us)
    SELECT OLD.id, OLD.id
    WHERE coalesce((SELECT last_us FROM id_run WHERE first_us <= OLD.id ORDER BY first_us DESC LIMIT 1), OLD.id - 1)
      < OLD.id;
END;

-- A file goes with the last message that has it, unless it is the only one of a picture's path.
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
-- A picture's file goes with the last picture of its path, unless a message has it.
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
-- A content goes with its last file.
CREATE TRIGGER file_gone AFTER DELETE ON file BEGIN
  DELETE FROM content WHERE sha256 = OLD.sha256 AND NOT EXISTS (SELECT 1 FROM file WHERE sha256 = OLD.sha256);
END;
CREATE TRIGGER file_lost AFTER UPDATE OF sha256 ON file BEGIN
  DELETE FROM content WHERE sha256 = OLD.sha256 AND NOT EXISTS (SELECT 1 FROM file WHERE sha256 = OLD.sha256);
END;
CREATE TRIGGER content_gone AFTER DELETE ON content BEGIN
  INSERT INTO content_gone (sha256) VALUES (OLD.sha256) ON CONFLICT DO NOTHING;
END;

-- The texts of the search index. The views for people who use SQL are in views.sql.
CREATE VIEW message_search_text AS SELECT
  id,                                                -- rowid in an index that an earlier version built
  iif(id < 0, id, iif(id < 1 << 54 AND ifnull((SELECT first FROM search_slot WHERE slot = id >> 18), id) = id,
    id >> 18, id + (1 << 36))) AS number,            -- rowid of message_search
  body AS text,                                      -- as in message; the index has its words
  NULL AS chars,                                     -- the index has only words of the other columns
  NULL AS facets
FROM message
WHERE noise = 0;

-- The bytes of messages, from networks that send each message separately. This table is the last one because of SQLite's integrity
-- check: it finds lost pages only if the first object of its table of names has pages, which views have not (pragma.c and btree.c up to
-- 3.51: a root page of 0 makes the check a partial one). The table that is read last is the first there if its hash is free, as that
-- of message_raw is.
CREATE TABLE message_raw (
  message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  at_us      INTEGER NOT NULL,                       -- since when the message had this text; message_id for the original
  bytes      BLOB NOT NULL,                          -- as the network sent them
  PRIMARY KEY (message_id, at_us)
) STRICT, WITHOUT ROWID;
