-- What rules had removed before this file was made, by a backup's restore. PurgeMemory says of what the digests are.
CREATE TABLE purged_before (
  digest  BLOB PRIMARY KEY,                          -- 16 bytes, of the account, a room's key and noise
  last_us INTEGER NOT NULL                           -- message.id of the last that was removed
) STRICT, WITHOUT ROWID;

-- 0017 says why message_raw is the last.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
PRAGMA writable_schema = RESET;
