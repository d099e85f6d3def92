-- The network's own place in its stream of events, from which a listener continues.
CREATE TABLE network_place (
  id    INTEGER PRIMARY KEY CHECK (id = 1),
  place TEXT NOT NULL                                -- everything before it is stored
) STRICT;

-- 0017 says why message_raw is the last.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
PRAGMA writable_schema = RESET;
