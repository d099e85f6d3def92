-- One account's archive. Times are microseconds since 1970-01-01 UTC (…_us); docs/schema.md explains the tables together.

CREATE TABLE account (
  id            INTEGER PRIMARY KEY CHECK (id = 1),  -- one account a file
  name          TEXT NOT NULL,                       -- as the configuration calls it
  network       TEXT NOT NULL,                       -- kind of service: 'streamchat', ...
  epoch         TEXT NOT NULL,                       -- random id of this life of the file; change.seq counts within it
  created_at_us INTEGER NOT NULL                     -- when the file was made, by our clock
) STRICT;

CREATE TABLE room (
  id       INTEGER PRIMARY KEY,
  key      TEXT NOT NULL UNIQUE,                     -- the network's id, else its folded name; '' for a server's one room
  kind     TEXT NOT NULL CHECK (kind IN ('channel', 'direct', 'server')),
  messages INTEGER NOT NULL DEFAULT 0                -- rows of message in this room, kept by the writer and message_gone
) STRICT;

-- What a room is or was called. The row without last_seen_us is today's name.
CREATE TABLE room_name (
  room_id       INTEGER NOT NULL REFERENCES room (id),
  first_seen_us INTEGER NOT NULL,                    -- id of the first event under this name
  last_seen_us  INTEGER,                             -- when it was found to have another; null for today's name
  name          TEXT NOT NULL,
  PRIMARY KEY (room_id, first_seen_us)
) STRICT, WITHOUT ROWID;

CREATE TABLE user (
  id      INTEGER PRIMARY KEY,
  key     TEXT UNIQUE,                               -- the network's id, else the folded name; null once another has taken the name
  is_self INTEGER NOT NULL DEFAULT 0 CHECK (is_self IN (0, 1))  -- 1 for the account's own identity
) STRICT;

-- What a user is or was called. The row without last_seen_us is today's name.
CREATE TABLE user_name (
  user_id       INTEGER NOT NULL REFERENCES user (id),
  first_seen_us INTEGER NOT NULL,                    -- id of the first event under this name
  last_seen_us  INTEGER,                             -- when it was found to have another; null for today's name
  name          TEXT NOT NULL,
  PRIMARY KEY (user_id, first_seen_us)
) STRICT, WITHOUT ROWID;

-- Who was last known to be in a room; only what is heard live counts.
CREATE TABLE membership (
  room_id      INTEGER NOT NULL REFERENCES room (id),
  user_id      INTEGER NOT NULL REFERENCES user (id),
  joined_at_us INTEGER,                              -- null when the user was there before we were
  left_at_us   INTEGER,                              -- null while in the room
  PRIMARY KEY (room_id, user_id)
) STRICT, WITHOUT ROWID;

-- One connection to the network.
CREATE TABLE session (
  id                   INTEGER PRIMARY KEY,
  started_at_us        INTEGER NOT NULL,             -- when the connection stood
  last_sign_of_life_us INTEGER NOT NULL,             -- the latest proof that the peer was there; all before it is stored
  ended_at_us          INTEGER,                      -- null while it lasts; equals last_sign_of_life_us afterwards
  reason               TEXT,                         -- why it ended: stopped closed lost silent crashed clock_step violation store
  detail               TEXT,                         -- the same for people
  bytes                INTEGER NOT NULL DEFAULT 0,   -- length of the session's journal
  position             INTEGER NOT NULL DEFAULT 0,   -- bytes of it that have been parsed
  CHECK ((ended_at_us IS NULL) = (reason IS NULL))
) STRICT;
CREATE INDEX session_open ON session (id) WHERE ended_at_us IS NULL;
CREATE INDEX session_unparsed ON session (id) WHERE position < bytes;

CREATE TABLE message (
  id             INTEGER PRIMARY KEY,                -- time of the message, made unique: primary key, order, cursor
  room_id        INTEGER NOT NULL REFERENCES room (id),
  kind           INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 10),
    -- 0 message 1 action 2 notice 3 system 4 join 5 leave 6 kick 7 rename 8 topic 9 mode 10 invite
  noise          INTEGER NOT NULL AS (kind IN (4, 5, 7, 9)) VIRTUAL,  -- 1 for what --hide joins hides
  sender_id      INTEGER REFERENCES user (id),       -- null for system
  session_id     INTEGER REFERENCES session (id),    -- the connection that brought it
  received_at_us INTEGER,                            -- when we received it; null when that is the id
  source_time_us INTEGER,                            -- the network's claim; null when it gave none or it is the id
  flags          INTEGER NOT NULL DEFAULT 0,         -- bits: 1 invalid_utf8, 2 oversize, 4 maybe_coalesced
  remote_id      TEXT,                               -- the network's id, else session:byte offset; null when it has neither
  body           TEXT                                -- text, reason, topic or new name; null where there is none
) STRICT;
-- Pages of a room, noise left out or not: the id follows as every index's last column.
CREATE INDEX message_room ON message (room_id, noise);
-- Pages of an account without noise.
CREATE INDEX message_quiet ON message (noise) WHERE noise = 0;
CREATE UNIQUE INDEX message_remote ON message (room_id, remote_id) WHERE remote_id IS NOT NULL;

-- Runs of ids that are all used, so that a million equal times are not probed one by one; and ids of rows that are gone.
CREATE TABLE id_run (
  first_us INTEGER PRIMARY KEY,                      -- first used id
  last_us  INTEGER NOT NULL CHECK (last_us >= first_us)  -- last used id
) STRICT;

-- An id is never used twice, not even after its row is gone; and a room's count follows its rows.
CREATE TRIGGER message_gone AFTER DELETE ON message BEGIN
  UPDATE room SET messages = messages - 1 WHERE id = OLD.room_id;
  INSERT INTO id_run (first_us, last_us)
    SELECT OLD.id, OLD.id
    WHERE coalesce((SELECT last_us FROM id_run WHERE first_us <= OLD.id ORDER BY first_us DESC LIMIT 1), OLD.id - 1)
      < OLD.id;
END;

-- StreamChat's journal: every read as it came, kept so that it can be parsed again.
CREATE TABLE chunk (
  session_id     INTEGER NOT NULL REFERENCES session (id),
  offset         INTEGER NOT NULL,                   -- bytes of the session that came before
  received_at_us INTEGER NOT NULL,
  bytes          BLOB NOT NULL,
  PRIMARY KEY (session_id, offset)
) STRICT, WITHOUT ROWID;

-- Spans of time in which a room is known to be complete, both ends included. Spans of one room never overlap.
CREATE TABLE coverage (
  id         INTEGER PRIMARY KEY,
  room_id    INTEGER NOT NULL REFERENCES room (id),
  from_us    INTEGER NOT NULL,
  to_us      INTEGER,                                -- null for a live span: it reaches to its session's last sign of life
  session_id INTEGER NOT NULL REFERENCES session (id),
  CHECK (to_us IS NULL OR to_us >= from_us)
) STRICT;
CREATE UNIQUE INDEX coverage_room ON coverage (room_id, from_us);
CREATE INDEX coverage_live ON coverage (session_id) WHERE to_us IS NULL;

-- Why a gap is there. The gap itself is derived: it is what no span covers.
CREATE TABLE gap_note (
  room_id     INTEGER NOT NULL REFERENCES room (id),
  from_us     INTEGER NOT NULL,                      -- end of the span before the gap
  reason      TEXT NOT NULL,                         -- a session's reason, or 'failure'
  attempts    INTEGER NOT NULL DEFAULT 0,            -- tries to end or fill it so far
  next_try_us INTEGER,                               -- null when nothing will be tried
  PRIMARY KEY (room_id, from_us)
) STRICT, WITHOUT ROWID;

-- What could not be stored or understood, with its payload.
CREATE TABLE failure (
  id          INTEGER PRIMARY KEY,
  room_id     INTEGER REFERENCES room (id),          -- null when it can't be told
  session_id  INTEGER REFERENCES session (id),
  remote_id   TEXT,                                  -- the network's id, where there is one
  payload     BLOB NOT NULL,
  reason      TEXT NOT NULL,                         -- for people
  first_at_us INTEGER NOT NULL,
  last_at_us  INTEGER NOT NULL,
  count       INTEGER NOT NULL DEFAULT 1             -- times it was met
) STRICT;
CREATE UNIQUE INDEX failure_identity ON failure (ifnull(room_id, 0), ifnull(remote_id, payload));

-- The change feed: append-only, in commit order.
CREATE TABLE change (
  seq        INTEGER PRIMARY KEY,
  what       INTEGER NOT NULL CHECK (what BETWEEN 0 AND 2),
    -- 0 message stored (subject: message.id), 1 coverage (room.id), 2 name (user.id, or -room.id for a room's)
  subject_id INTEGER NOT NULL
) STRICT;
