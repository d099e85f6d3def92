-- Finds the last topic of a room in one look-up; the id follows as every index's last column.
CREATE INDEX message_topic ON message (room_id) WHERE kind = 8;

-- 0017 says why message_raw is the last.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
PRAGMA writable_schema = RESET;
