-- What a room says of itself, and the picture of a workspace: the file's tables of the same names.
CREATE TABLE scrollback.room_picture (
  account_id    bigint NOT NULL,
  room_id       bigint NOT NULL,
  first_seen_us bigint NOT NULL,
  last_seen_us  bigint,
  path          text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, room_id, first_seen_us)
);

CREATE TABLE scrollback.workspace_picture (
  account_id    bigint NOT NULL,
  workspace_id  bigint NOT NULL,
  first_seen_us bigint NOT NULL,
  last_seen_us  bigint,
  path          text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, workspace_id, first_seen_us)
);

CREATE TABLE scrollback.room_description (
  account_id    bigint NOT NULL,
  room_id       bigint NOT NULL,
  first_seen_us bigint NOT NULL,
  last_seen_us  bigint,
  text          text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, room_id, first_seen_us)
);

CREATE TABLE scrollback.room_owner (
  account_id    bigint NOT NULL,
  room_id       bigint NOT NULL,
  first_seen_us bigint NOT NULL,
  last_seen_us  bigint,
  user_id       bigint NOT NULL,
  PRIMARY KEY (account_id, room_id, first_seen_us)
);

-- Hash indexes, because a path may be longer than an entry of another index.
CREATE INDEX person_picture_path ON scrollback.person_picture USING hash (path);
CREATE INDEX room_picture_path ON scrollback.room_picture USING hash (path);
CREATE INDEX workspace_picture_path ON scrollback.workspace_picture USING hash (path);
CREATE INDEX file_path ON scrollback.file USING hash (path);
