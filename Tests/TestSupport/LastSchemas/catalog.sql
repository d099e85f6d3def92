-- The last schema of catalogs before 0001_catalog.sql.
CREATE TABLE account (
  directory        TEXT PRIMARY KEY,                 -- the folder's name in accounts/
  name             TEXT NOT NULL UNIQUE,             -- as the configuration calls it
  network          TEXT NOT NULL,                    -- kind of service: 'streamchat', ...
  generation       INTEGER NOT NULL,                 -- number in the file's name
  used             INTEGER NOT NULL,                 -- counts uses of all accounts; the largest was used last
  used_at_us       INTEGER NOT NULL,                 -- when that was, to within a minute
  -- Of a cold account; null while it is hot:
  cold_sha256      TEXT,                             -- of the plain file, in hexadecimal
  plain_bytes      INTEGER,                          -- of the plain file
  cold_bytes       INTEGER,                          -- of the compressed file
  created_at_us    INTEGER,                          -- when the archive was made
  messages         INTEGER,
  rooms            INTEGER,
  first_message_us INTEGER,                          -- id of the first message; null when there is none
  last_message_us  INTEGER,                          -- id of the last message; null when there is none
  seq              INTEGER,                          -- last change of the feed
  CHECK ((cold_sha256 IS NULL) = (plain_bytes IS NULL)),
  CHECK ((cold_sha256 IS NULL) = (cold_bytes IS NULL)),
  CHECK ((cold_sha256 IS NULL) = (created_at_us IS NULL)),
  CHECK ((cold_sha256 IS NULL) = (messages IS NULL)),
  CHECK ((cold_sha256 IS NULL) = (rooms IS NULL)),
  CHECK ((cold_sha256 IS NULL) = (seq IS NULL))
) STRICT;
CREATE INDEX account_hot ON account (used, name) WHERE cold_sha256 IS NULL;
CREATE INDEX account_used ON account (used);
CREATE TABLE forgotten_key (
  account TEXT PRIMARY KEY,                          -- the account's name
  key     BLOB NOT NULL,                             -- 32 random bytes
  digests INTEGER NOT NULL DEFAULT 0                 -- rows of forgotten
) STRICT;
CREATE TABLE forgotten (
  account TEXT NOT NULL REFERENCES forgotten_key (account),
  digest  BLOB NOT NULL,                             -- 16 bytes
  PRIMARY KEY (account, digest)
) STRICT, WITHOUT ROWID;
CREATE TABLE purged (
  account       TEXT NOT NULL,                       -- the account's name
  created_at_us INTEGER NOT NULL,                    -- and when it was made: a later account of that name is another
  digest        BLOB NOT NULL,                       -- as in purged_before of the account's file
  last_us       INTEGER NOT NULL,                    -- message.id of the last that was removed
  PRIMARY KEY (account, created_at_us, digest)
) STRICT, WITHOUT ROWID;
CREATE TABLE applied_rule (
  account       TEXT NOT NULL,
  created_at_us INTEGER NOT NULL,
  rule          TEXT NOT NULL,                       -- as in applied_rule of the account's file
  first_at_us   INTEGER NOT NULL,
  PRIMARY KEY (account, created_at_us, rule)
) STRICT, WITHOUT ROWID;
CREATE TABLE encrypted (
  directory  TEXT PRIMARY KEY REFERENCES account (directory) ON DELETE CASCADE,
  sha256     TEXT NOT NULL,                          -- of the encrypted file, in hexadecimal; cold_bytes is its size
  recipients TEXT NOT NULL,                          -- a SHA-256 of the public keys: other keys make another copy
  epoch      TEXT NOT NULL,                          -- account.epoch in the file: another file has another
  required   INTEGER NOT NULL CHECK (required IN (0, 1)), -- 1 for a backup that no plain one replaces
  files      INTEGER NOT NULL                        -- how many encrypted files lie in attachments/
) STRICT, WITHOUT ROWID;
CREATE TABLE file_key (
  id  INTEGER PRIMARY KEY CHECK (id = 1),
  key BLOB NOT NULL                                  -- 32 random bytes
) STRICT;
PRAGMA application_id = 0x53424354;
PRAGMA user_version = 4;
