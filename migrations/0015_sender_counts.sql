-- The number of messages of each person in each room is kept, so that no reader has to count them.

-- Joins, leaves, renames and changes of mode don't count.
CREATE TABLE sender_count (
  room_id   INTEGER NOT NULL REFERENCES room (id),
  sender_id INTEGER NOT NULL REFERENCES user (id),
  messages  INTEGER NOT NULL,                        -- their rows of message without noise, kept by the writer and message_gone
  PRIMARY KEY (room_id, sender_id)
) STRICT, WITHOUT ROWID;

INSERT INTO sender_count (room_id, sender_id, messages)
  SELECT room_id, sender_id, count(*) FROM message WHERE noise = 0 AND sender_id IS NOT NULL GROUP BY room_id, sender_id;

-- An id is never used twice, not even after its row is gone; and the counts follow the rows.
DROP TRIGGER message_gone;
CREATE TRIGGER message_gone AFTER DELETE ON message BEGIN
  UPDATE room SET messages = messages - 1 WHERE id = OLD.room_id;
  UPDATE sender_count SET messages = messages - 1
    WHERE OLD.noise = 0 AND room_id = OLD.room_id AND sender_id = OLD.sender_id;
  INSERT INTO id_run (first_us, last_us)
    SELECT OLD.id, OLD.id
    WHERE coalesce((SELECT last_us FROM id_run WHERE first_us <= OLD.id ORDER BY first_us DESC LIMIT 1), OLD.id - 1)
      < OLD.id;
END;
