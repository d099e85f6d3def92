-- What a backup and a listener must know of a file that they can't decrypt.

CREATE TABLE encrypted (
  directory  TEXT PRIMARY KEY REFERENCES account (directory) ON DELETE CASCADE,
  sha256     TEXT NOT NULL,                          -- of the encrypted file, in hexadecimal; cold_bytes is its size
  recipients TEXT NOT NULL,                          -- a SHA-256 of the public keys: other keys make another copy
  epoch      TEXT NOT NULL,                          -- account.epoch in the file: another file has another
  required   INTEGER NOT NULL CHECK (required IN (0, 1)), -- 1 for a backup that no plain one replaces
  files      INTEGER NOT NULL                        -- how many encrypted files lie in attachments/
) STRICT, WITHOUT ROWID;

-- The key of the names of encrypted files in backups, so that nobody can test a guess of what a file has.
CREATE TABLE file_key (
  id  INTEGER PRIMARY KEY CHECK (id = 1),
  key BLOB NOT NULL                                  -- 32 random bytes
) STRICT;
