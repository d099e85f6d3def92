-- Digests of the messages, so that a text that the disk or another program changed is found.
CREATE TABLE message_digest (
  block  INTEGER PRIMARY KEY,                        -- the messages' ids divided by 2^32: 72 minutes
  digest INTEGER NOT NULL                            -- of its messages without noise, combined by XOR
) STRICT;
CREATE TABLE digest_reach (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  from_block INTEGER NOT NULL                        -- blocks from this one on have digests; earlier ones do not yet
) STRICT;
INSERT INTO digest_reach (id, from_block)
  SELECT 1, ifnull((max(id) >> 32) + 1, -9223372036854775808) FROM message;

-- 0017 says why message_raw is the last.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
PRAGMA writable_schema = RESET;
