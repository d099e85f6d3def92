-- What the accounts have forgotten, as their files have it. An account that is restored from an older backup forgets it again.

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
