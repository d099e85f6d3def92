-- The accounts of a data folder. What is here can be found out from their folders, except the order of use.

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
-- Which hot account is to go next.
CREATE INDEX account_hot ON account (used, name) WHERE cold_sha256 IS NULL;
-- Which was used last.
CREATE INDEX account_used ON account (used);
