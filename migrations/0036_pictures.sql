-- What a room says of itself: its picture, its description and its owner; and the picture of a workspace. Pictures, also those of
-- people, are fetched like files of messages: a picture has the row of `file` with its path.

CREATE TABLE room_picture (
  room_id       INTEGER NOT NULL REFERENCES room (id),
  first_seen_us INTEGER NOT NULL,                    -- when it was first seen
  last_seen_us  INTEGER,                             -- when there was found to be another, or none; null for today's
  path          TEXT NOT NULL,                       -- as the network gives it
  PRIMARY KEY (room_id, first_seen_us)
) STRICT, WITHOUT ROWID;

CREATE TABLE workspace_picture (
  workspace_id  INTEGER NOT NULL REFERENCES workspace (id),
  first_seen_us INTEGER NOT NULL,                    -- when it was first seen
  last_seen_us  INTEGER,                             -- when there was found to be another, or none; null for today's
  path          TEXT NOT NULL,                       -- as the network gives it
  PRIMARY KEY (workspace_id, first_seen_us)
) STRICT, WITHOUT ROWID;

-- On networks where that is not the topic, which is a message.
CREATE TABLE room_description (
  room_id       INTEGER NOT NULL REFERENCES room (id),
  first_seen_us INTEGER NOT NULL,                    -- when it was first seen
  last_seen_us  INTEGER,                             -- when there was found to be another, or none; null for today's
  text          TEXT NOT NULL,                       -- as the network gives it
  PRIMARY KEY (room_id, first_seen_us)
) STRICT, WITHOUT ROWID;

CREATE TABLE room_owner (
  room_id       INTEGER NOT NULL REFERENCES room (id),
  first_seen_us INTEGER NOT NULL,                    -- when they were first seen as the owner
  last_seen_us  INTEGER,                             -- when there was found to be another, or none; null for today's
  user_id       INTEGER NOT NULL REFERENCES user (id),
  PRIMARY KEY (room_id, first_seen_us)
) STRICT, WITHOUT ROWID;

CREATE INDEX user_picture_path ON user_picture (path);
CREATE INDEX room_picture_path ON room_picture (path);
CREATE INDEX workspace_picture_path ON workspace_picture (path);

-- A file goes with the last message that has it, unless it is the only one of a picture's path.
DROP TRIGGER attachment_gone;
DROP TRIGGER attachment_moved;
CREATE TRIGGER attachment_gone AFTER DELETE ON attachment BEGIN
  DELETE FROM file WHERE id = OLD.file_id AND NOT EXISTS (SELECT 1 FROM attachment WHERE file_id = OLD.file_id)
    AND (EXISTS (SELECT 1 FROM file AS other WHERE other.path = file.path AND other.id <> file.id)
      OR NOT EXISTS (SELECT 1 FROM user_picture WHERE path = file.path)
        AND NOT EXISTS (SELECT 1 FROM room_picture WHERE path = file.path)
        AND NOT EXISTS (SELECT 1 FROM workspace_picture WHERE path = file.path));
END;
CREATE TRIGGER attachment_moved AFTER UPDATE OF file_id ON attachment BEGIN
  DELETE FROM file WHERE id = OLD.file_id AND NOT EXISTS (SELECT 1 FROM attachment WHERE file_id = OLD.file_id)
    AND (EXISTS (SELECT 1 FROM file AS other WHERE other.path = file.path AND other.id <> file.id)
      OR NOT EXISTS (SELECT 1 FROM user_picture WHERE path = file.path)
        AND NOT EXISTS (SELECT 1 FROM room_picture WHERE path = file.path)
        AND NOT EXISTS (SELECT 1 FROM workspace_picture WHERE path = file.path));
END;
-- A picture's file goes with the last picture of its path, unless a message has it.
CREATE TRIGGER user_picture_gone AFTER DELETE ON user_picture BEGIN
  DELETE FROM file WHERE path = OLD.path AND NOT EXISTS (SELECT 1 FROM attachment WHERE file_id = file.id)
    AND NOT EXISTS (SELECT 1 FROM user_picture WHERE path = OLD.path)
    AND NOT EXISTS (SELECT 1 FROM room_picture WHERE path = OLD.path)
    AND NOT EXISTS (SELECT 1 FROM workspace_picture WHERE path = OLD.path);
END;
CREATE TRIGGER room_picture_gone AFTER DELETE ON room_picture BEGIN
  DELETE FROM file WHERE path = OLD.path AND NOT EXISTS (SELECT 1 FROM attachment WHERE file_id = file.id)
    AND NOT EXISTS (SELECT 1 FROM user_picture WHERE path = OLD.path)
    AND NOT EXISTS (SELECT 1 FROM room_picture WHERE path = OLD.path)
    AND NOT EXISTS (SELECT 1 FROM workspace_picture WHERE path = OLD.path);
END;
CREATE TRIGGER workspace_picture_gone AFTER DELETE ON workspace_picture BEGIN
  DELETE FROM file WHERE path = OLD.path AND NOT EXISTS (SELECT 1 FROM attachment WHERE file_id = file.id)
    AND NOT EXISTS (SELECT 1 FROM user_picture WHERE path = OLD.path)
    AND NOT EXISTS (SELECT 1 FROM room_picture WHERE path = OLD.path)
    AND NOT EXISTS (SELECT 1 FROM workspace_picture WHERE path = OLD.path);
END;

-- The pictures that are known already.
INSERT INTO file (path)
  SELECT DISTINCT path FROM user_picture
  WHERE path <> '' AND NOT EXISTS (SELECT 1 FROM file WHERE file.path = user_picture.path);
INSERT INTO change (what, subject_id) SELECT DISTINCT 2, user_id FROM user_picture ORDER BY user_id;

-- 0017 says why message_raw is the last.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
PRAGMA writable_schema = RESET;
