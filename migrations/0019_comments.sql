-- Comments stand beside their columns in .schema: a column that ALTER TABLE added had its comment lost, and stood before the
-- comment of another. 0004 says why in this way. Only comments and line feeds differ.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = 'CREATE TABLE room (
  id               INTEGER PRIMARY KEY,
  key              TEXT NOT NULL UNIQUE,             -- the network''s id, else its folded name; '''' for a server''s one room
  kind             TEXT NOT NULL CHECK (kind IN (''channel'', ''direct'', ''server'')),
    -- a direct room is a conversation with one person or a few; a server is one room
  messages         INTEGER NOT NULL DEFAULT 0,       -- rows of message in this room, kept by the writer and message_gone
  workspace_id     INTEGER REFERENCES workspace (id),  -- null on networks without workspaces, and until it was listed
  partner_id       INTEGER REFERENCES user (id),     -- whom a direct room is with; null for other rooms
  left_at_us       INTEGER,                          -- since when it is not listed among ours; null while it is
  gone_at_us       INTEGER,                          -- since when the network has it no more; null while it has; history stays
  asked_back_to_us INTEGER                           -- how far back history before the first span was asked for; null where not
) STRICT'
  WHERE type = 'table' AND name = 'room';
UPDATE sqlite_schema SET sql = 'CREATE TABLE session (
  id                   INTEGER PRIMARY KEY,
  started_at_us        INTEGER NOT NULL,             -- when the connection stood
  last_sign_of_life_us INTEGER NOT NULL,             -- the latest proof that the peer was there; all before it is stored
  ended_at_us          INTEGER,                      -- null while it lasts; equals last_sign_of_life_us afterwards
  reason               TEXT,                         -- why it ended: stopped closed lost silent crashed clock_step violation store
  detail               TEXT,                         -- the same for people
  bytes                INTEGER NOT NULL DEFAULT 0,   -- length of the session''s journal
  position             INTEGER NOT NULL DEFAULT 0,   -- bytes of it that have been parsed
  aged                 INTEGER NOT NULL DEFAULT 0,   -- bytes at its beginning that are no longer kept
  clock_lead_us        INTEGER NOT NULL DEFAULT 0,   -- how far the network''s clock was ahead of ours; 0 where it tells none
  heard_until_us       INTEGER NOT NULL
    GENERATED ALWAYS AS (last_sign_of_life_us + clock_lead_us) VIRTUAL,  -- by the network''s clock; live spans reach to it
  ahead_us             INTEGER NOT NULL DEFAULT 0,   -- times of receipt less the wall clock; above 0 after that was ahead
  booted_at_us         INTEGER,                      -- start of the machine as a time of receipt; null where not known
  boot                 TEXT,                         -- the kernel''s id of that start; null where not known
  CHECK ((ended_at_us IS NULL) = (reason IS NULL))
) STRICT'
  WHERE type = 'table' AND name = 'session';
UPDATE sqlite_schema SET sql = 'CREATE TABLE message (
  id             INTEGER PRIMARY KEY,                -- time of the message, made unique: primary key, order, cursor
  room_id        INTEGER NOT NULL REFERENCES room (id),
  kind           INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 10),
    -- 0 message 1 action 2 notice 3 system 4 join 5 leave 6 kick 7 rename 8 topic 9 mode 10 invite
  noise          INTEGER NOT NULL AS (kind = 4 OR kind = 5 OR kind = 7 OR kind = 9) VIRTUAL,  -- 1 for what --hide joins hides
  sender_id      INTEGER REFERENCES user (id),       -- null for system
  session_id     INTEGER REFERENCES session (id),    -- the connection that brought it
  received_at_us INTEGER,                            -- when we received it; null when that is the id
  source_time_us INTEGER,                            -- the network''s claim; null when it gave none or it is the id
  flags          INTEGER NOT NULL DEFAULT 0,
    -- bits: 1 invalid_utf8, 2 oversize, 4 maybe_coalesced, 8 to_the_minute, 16 to_the_second, 32 replayed, 64 wiped,
    -- 128 clock_ahead, 256 imported as read, 512 pinned
  remote_id      TEXT,                               -- the network''s id, else session:byte offset; null when it has neither
  body           TEXT,                               -- text, reason, topic or new name; null where there is none
  edited_at_us   INTEGER,                            -- since when it says what is in body; null while that is the original
  deleted_at_us  INTEGER,                            -- when it was deleted; null while it is there; its body stays
  reply_to       TEXT                                -- network''s id of the message that it answers, in the same room; or null
) STRICT'
  WHERE type = 'table' AND name = 'message';
UPDATE sqlite_schema SET sql = 'CREATE TABLE attachment (
  id          INTEGER PRIMARY KEY,
  message_id  INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  path        TEXT NOT NULL,                         -- as the network gives it
  sha256      TEXT,                                  -- of its bytes, in hexadecimal; null while they are not here
  bytes       INTEGER,                               -- how many; null while that is not known
  attempts    INTEGER NOT NULL DEFAULT 0,            -- tries to fetch it so far
  next_try_us INTEGER,                               -- null when nothing will be tried by itself
  error       TEXT,                                  -- why the last try failed, for people
  state       INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 4),
    -- 0 not here, 1 here, 2 larger than the limit, 3 the network has it no more, 4 not the network''s own, so never asked for
  asked       INTEGER NOT NULL DEFAULT 0,            -- 1 while somebody waits for it, whatever the configuration says
  tried_at_us INTEGER,                               -- when it was tried last, or came; null when it never was
  limit_bytes INTEGER,                               -- of state 2, the limit
  part_bytes  INTEGER,                               -- how much is in attachments/unfinished/; null where nothing is
  part_tag    TEXT,                                  -- what the network calls that content; null where nothing is
  UNIQUE (message_id, path)
) STRICT'
  WHERE type = 'table' AND name = 'attachment';
UPDATE sqlite_schema SET sql = 'CREATE TABLE gap_note (
  room_id     INTEGER NOT NULL REFERENCES room (id),
  from_us     INTEGER NOT NULL,                      -- end of the span before the gap
  reason      TEXT NOT NULL,                         -- a session''s reason, or ''failure''
  attempts    INTEGER NOT NULL DEFAULT 0,            -- tries to end or fill it so far
  next_try_us INTEGER,                               -- null when nothing will be tried
  unfilled    TEXT,                                  -- why it could not be filled: ''refused'', ...; null where it was not tried
  detail      TEXT,                                  -- the same for people: the server''s words
  PRIMARY KEY (room_id, from_us)
) STRICT, WITHOUT ROWID'
  WHERE type = 'table' AND name = 'gap_note';
UPDATE sqlite_schema SET sql = 'CREATE TABLE reaction (
  room_id       INTEGER NOT NULL REFERENCES room (id),
  remote_id     TEXT NOT NULL,                       -- the message''s
  user_id       INTEGER NOT NULL REFERENCES user (id),  -- who reacted
  text          TEXT NOT NULL,                       -- with what, an emoji as a rule
  at_us         INTEGER NOT NULL,                    -- when last, by the network where it tells
  removed_at_us INTEGER,                             -- when it was taken back; null while it stands
  own_id        TEXT,                                -- the network''s id of the reaction itself; null where it has none
  PRIMARY KEY (room_id, remote_id, user_id, text)
) STRICT, WITHOUT ROWID'
  WHERE type = 'table' AND name = 'reaction';
UPDATE sqlite_schema
  SET sql = replace(sql, '  name          TEXT NOT NULL,' || char(10),
    '  name          TEXT NOT NULL,                       -- as the network writes it' || char(10))
  WHERE type = 'table' AND name IN ('room_name', 'user_name', 'workspace_name');
UPDATE sqlite_schema
  SET sql = replace(sql, '  body       TEXT,' || char(10),
    '  body       TEXT,                                   -- what it said; null where there was no text' || char(10))
  WHERE type = 'table' AND name = 'message_version';
UPDATE sqlite_schema
  SET sql = replace(sql, '  bytes      BLOB NOT NULL,' || char(10),
    '  bytes      BLOB NOT NULL,                          -- as they came' || char(10))
  WHERE type = 'table' AND name = 'message_raw';
UPDATE sqlite_schema
  SET sql = replace(sql, '  received_at_us INTEGER NOT NULL,' || char(10),
    '  received_at_us INTEGER NOT NULL,                   -- when, by our clock' || char(10))
  WHERE type = 'table' AND name = 'chunk';
UPDATE sqlite_schema
  SET sql = replace(sql, '  bytes          BLOB NOT NULL,' || char(10),
    '  bytes          BLOB NOT NULL,                      -- of one read, as they came' || char(10))
  WHERE type = 'table' AND name = 'chunk';
UPDATE sqlite_schema
  SET sql = replace(sql, '  from_us    INTEGER NOT NULL,' || char(10),
    '  from_us    INTEGER NOT NULL,                       -- first instant of the span' || char(10))
  WHERE type = 'table' AND name = 'coverage';
UPDATE sqlite_schema
  SET sql = replace(sql, '  from_us INTEGER NOT NULL,' || char(10),
    '  from_us INTEGER NOT NULL,                          -- the log''s first line' || char(10))
  WHERE type = 'table' AND name = 'imported_span';
UPDATE sqlite_schema
  SET sql = replace(sql, '  to_us   INTEGER NOT NULL,' || char(10),
    '  to_us   INTEGER NOT NULL,                          -- the log''s last line' || char(10))
  WHERE type = 'table' AND name = 'imported_span';
UPDATE sqlite_schema
  SET sql = replace(sql, '  payload     BLOB NOT NULL,' || char(10),
    '  payload     BLOB NOT NULL,                         -- what could not be stored or understood' || char(10))
  WHERE type = 'table' AND name = 'failure';
UPDATE sqlite_schema
  SET sql = replace(sql, '  first_at_us INTEGER NOT NULL,' || char(10),
    '  first_at_us INTEGER NOT NULL,                      -- when it was first met' || char(10))
  WHERE type = 'table' AND name = 'failure';
UPDATE sqlite_schema
  SET sql = replace(sql, '  last_at_us  INTEGER NOT NULL,' || char(10),
    '  last_at_us  INTEGER NOT NULL,                      -- when it was last met' || char(10))
  WHERE type = 'table' AND name = 'failure';
UPDATE sqlite_schema
  SET sql = replace(sql, '  subject_id INTEGER NOT NULL' || char(10),
    '  subject_id INTEGER NOT NULL                        -- what it happened to' || char(10))
  WHERE type = 'table' AND name = 'change';
UPDATE sqlite_schema
  SET sql = replace(sql, '  name     TEXT PRIMARY KEY CHECK (name IN (''message_search'', ''message_search_next'')),' || char(10),
    '  name     TEXT PRIMARY KEY CHECK (name IN (''message_search'', ''message_search_next'')), -- the table' || char(10))
  WHERE type = 'table' AND name = 'search_index';
PRAGMA writable_schema = RESET;
