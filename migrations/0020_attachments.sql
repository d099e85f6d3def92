-- Each fact about a file is stored once: `attachment` says which message has which file, `file` what became of fetching a path,
-- `content` how large the bytes of a hash are. Until now `attachment` had all of it, in every row of a path and of a hash.

CREATE TABLE attachment_before AS
  SELECT *, min(id) OVER (PARTITION BY path, nullif(sha256, '')) AS file_id FROM attachment;
DROP TABLE attachment;

-- Bytes that are stored, once for each content.
CREATE TABLE content (
  sha256 TEXT PRIMARY KEY,                           -- of the bytes, in hexadecimal; they are in attachments/ under it
  bytes  INTEGER                                     -- how many; null only where a damaged earlier file did not say
) STRICT, WITHOUT ROWID;

-- A path, and what was found there. An import may find several contents under one name; what is not here has one row a path.
CREATE TABLE file (
  id          INTEGER PRIMARY KEY,
  path        TEXT NOT NULL,                         -- as the network or the import gives it
  sha256      TEXT REFERENCES content (sha256),      -- its content; null while that is not here
  bytes       INTEGER,                               -- how many the network says; null where it does not, and once it is here
  state       INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 4),
    -- 0 not here, 1 here, 2 larger than the limit, 3 the network has it no more, 4 not the network's own, so never asked for
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

-- Which message has which file.
CREATE TABLE attachment (
  id         INTEGER PRIMARY KEY,                    -- order of the files of a message
  message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  file_id    INTEGER NOT NULL REFERENCES file (id),
  bytes      INTEGER,                                -- how many the message says; null where it does not, or is right
  UNIQUE (message_id, file_id)
) STRICT;

-- Of two sizes of one hash, the one that more rows have; of as many, the earliest row's. The others stay in attachment.bytes.
INSERT INTO content (sha256, bytes)
  SELECT sha256, bytes
  FROM (SELECT sha256, bytes,
      row_number() OVER (PARTITION BY sha256 ORDER BY bytes IS NULL, count(*) DESC, min(id)) AS place
    FROM attachment_before WHERE sha256 <> '' GROUP BY sha256, bytes)
  WHERE place = 1;

-- Rows of one path without content become one file, which has the lowest of their ids. The last try decides about it; where
-- none was tried, the lowest state. Its attempts are the most that a row had. It is wanted if any row was: asked for, or not
-- tried since its message came. A beginning on disk stays unless the rows give it two tags. A row with a hash is here, one
-- without is not. Only the texts of errors before the last one go.
INSERT INTO file (id, path, sha256, bytes, state, attempts, tried_at_us, next_try_us, error, asked, limit_bytes, part_bytes,
    part_tag)
  SELECT file_id, path, nullif(sha256, ''), iif(sha256 <> '', NULL, iif(state = 2 AND NOT is_wanted, bytes, NULL)),
    CASE WHEN sha256 <> '' THEN 1 WHEN is_wanted OR state = 1 THEN 0 ELSE state END, most_attempts, last_try_us,
    iif(is_new, last_try_us, next_try_us), error, is_asked, limit_bytes, iif(tag IS other_tag, shortest_part, NULL),
    iif(tag IS other_tag, tag, NULL)
  FROM (SELECT *,
      row_number() OVER (PARTITION BY file_id ORDER BY tried_at_us IS NULL, tried_at_us DESC, state, id) AS place,
      max(attempts) OVER one AS most_attempts, max(tried_at_us) OVER one AS last_try_us, max(asked) OVER one AS is_asked,
      max(ifnull(sha256, '') = '' AND state = 0 AND (asked = 1 OR tried_at_us IS NULL)) OVER one AS is_wanted,
      max(ifnull(sha256, '') = '' AND state = 0 AND tried_at_us IS NULL) OVER one AS is_new,
      min(part_bytes) OVER one AS shortest_part, min(part_tag) OVER one AS tag, max(part_tag) OVER one AS other_tag
    FROM attachment_before WINDOW one AS (PARTITION BY file_id))
  WHERE place = 1;

INSERT INTO attachment (id, message_id, file_id, bytes)
  SELECT b.id, b.message_id, b.file_id, iif(b.bytes IS ifnull(content.bytes, file.bytes), NULL, b.bytes)
  FROM attachment_before AS b
    JOIN file ON file.id = b.file_id
    LEFT JOIN content ON content.sha256 = file.sha256
  ORDER BY b.id;

DROP TABLE attachment_before;

CREATE INDEX attachment_file ON attachment (file_id);
CREATE UNIQUE INDEX file_path ON file (path, ifnull(sha256, ''));
CREATE INDEX file_content ON file (sha256);
CREATE INDEX file_missing ON file (id) WHERE state = 0;
CREATE INDEX file_asked ON file (id) WHERE asked = 1;
CREATE INDEX file_part ON file (path) WHERE part_bytes IS NOT NULL;

-- A file goes with the last message that has it, and a content with its last file.
CREATE TRIGGER attachment_gone AFTER DELETE ON attachment BEGIN
  DELETE FROM file WHERE id = OLD.file_id AND NOT EXISTS (SELECT 1 FROM attachment WHERE file_id = OLD.file_id);
END;
CREATE TRIGGER attachment_moved AFTER UPDATE OF file_id ON attachment BEGIN
  DELETE FROM file WHERE id = OLD.file_id AND NOT EXISTS (SELECT 1 FROM attachment WHERE file_id = OLD.file_id);
END;
CREATE TRIGGER file_gone AFTER DELETE ON file BEGIN
  DELETE FROM content WHERE sha256 = OLD.sha256 AND NOT EXISTS (SELECT 1 FROM file WHERE sha256 = OLD.sha256);
END;
CREATE TRIGGER file_lost AFTER UPDATE OF sha256 ON file BEGIN
  DELETE FROM content WHERE sha256 = OLD.sha256 AND NOT EXISTS (SELECT 1 FROM file WHERE sha256 = OLD.sha256);
END;

-- Files with the messages that they came with, and states as words.
CREATE VIEW files AS SELECT
  a.id,                                              -- order of the files of a message
  a.message_id,                                      -- messages.id
  f.path,                                            -- as the network or the import gives it
  CASE f.state WHEN 0 THEN iif(f.error IS NULL, 'missing', 'failed') WHEN 1 THEN 'here' WHEN 2 THEN 'too_large'
    WHEN 3 THEN 'gone' WHEN 4 THEN 'elsewhere' END
    AS state,                                        -- a word
  ifnull(c.bytes, ifnull(f.bytes, a.bytes))
    AS bytes,                                        -- how many; null while that is not known
  f.sha256,                                          -- of its bytes; null while they are not here
  f.error,                                           -- why the last try failed, for people
  strftime('%Y-%m-%dT%H:%M:%S', f.tried_at_us / 1000000 - (f.tried_at_us % 1000000 < 0), 'unixepoch')
      || printf('.%06dZ', f.tried_at_us % 1000000 + 1000000 * (f.tried_at_us % 1000000 < 0))
    AS tried_at                                      -- when it was tried last, or came; null when it never was
FROM attachment AS a JOIN file AS f ON f.id = a.file_id LEFT JOIN content AS c ON c.sha256 = f.sha256;

-- 0017 says why message_raw is the last.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
PRAGMA writable_schema = RESET;
