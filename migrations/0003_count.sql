-- The numbers of messages, so that no reader counts the rows of message. Joins, leaves, renames and modes don't count.
-- A row has the quarters of an hour of a room that have messages, from its own quarter to the next row's. The numbers by any time, room
-- and person follow from it. docs/schema.md has the format. The room is a part of the key, because SQLite keeps a row of up to 4 KB on
-- one page only if its key is one number.
CREATE TABLE message_count (
  id       INTEGER PRIMARY KEY,                      -- room.id * 2^30 + 2^28 + the first quarter of an hour, from 1970 on
  counts   BLOB NOT NULL,                            -- for each quarter of an hour, the number of messages of each sender
  messages INTEGER NOT NULL                          -- the sum of these numbers
) STRICT;

CREATE TABLE count_reach (
  id           INTEGER PRIMARY KEY CHECK (id = 1),
  from_quarter INTEGER NOT NULL                      -- quarters from this one on are counted
) STRICT;
-- An account with messages is counted by its writer, from the newest message down.
INSERT INTO count_reach (id, from_quarter)
  SELECT 1, ifnull((SELECT max(id) / 900000000 + 1 FROM message), -9223372036854775808);

-- The ends of the rooms that have messages. A list of thousands of rooms would look each of them up four times.
CREATE TABLE room_span (
  room_id  INTEGER PRIMARY KEY,                      -- room.id
  first_us INTEGER NOT NULL,                         -- message.id of the first message
  last_us  INTEGER NOT NULL                          -- message.id of the last message
) STRICT, WITHOUT ROWID;
INSERT INTO room_span (room_id, first_us, last_us)
  SELECT id, min(first, ifnull(first_noise, first)), max(last, ifnull(last_noise, last))
  FROM (SELECT id, ifnull(first, first_noise) AS first, first_noise, ifnull(last, last_noise) AS last, last_noise
    FROM (SELECT id,
        (SELECT min(m.id) FROM message AS m WHERE m.room_id = room.id AND noise = 0) AS first,
        (SELECT min(m.id) FROM message AS m WHERE m.room_id = room.id AND noise = 1) AS first_noise,
        (SELECT max(m.id) FROM message AS m WHERE m.room_id = room.id AND noise = 0) AS last,
        (SELECT max(m.id) FROM message AS m WHERE m.room_id = room.id AND noise = 1) AS last_noise
      FROM room))
  WHERE first IS NOT NULL;
