-- The account's own person under several names: `me` of the configuration, `import --me`, `archive me`.

-- The names and ids that the account's owner has given. Two lists, so that each can be replaced.
CREATE TABLE own_name (
  source INTEGER NOT NULL CHECK (source BETWEEN 0 AND 1), -- 0 the configuration, 1 a command
  place  INTEGER NOT NULL,                           -- order in the list
  name   TEXT NOT NULL,                              -- as given
  PRIMARY KEY (source, place)
) STRICT, WITHOUT ROWID;

-- A user is the account's own person (is_self) if the network or an export says so (self_by) or own_name has the name. In place of
-- an export's word, the first of the own names is shown.
ALTER TABLE user ADD COLUMN self_by INTEGER NOT NULL DEFAULT 0 CHECK (self_by BETWEEN 0 AND 2);
UPDATE user SET self_by = 1 WHERE is_self = 1;

-- `import --me` had no list: it gave its name to the person whom the exports call 나, and made the name the key.
INSERT INTO own_name (source, place, name)
  SELECT 1, row_number() OVER (ORDER BY user.id) - 1, name FROM user
    JOIN user_name ON user_id = user.id AND last_seen_us IS NULL
  WHERE is_self = 1 AND key = name COLLATE NOCASE AND (SELECT network FROM account) = 'log';
UPDATE user SET self_by = 2 WHERE is_self = 1 AND key COLLATE NOCASE IN (SELECT name FROM own_name);

-- Comments stand beside their columns; 0019 says why in this way. 0017 says why message_raw is the last.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = 'CREATE TABLE user (
  id      INTEGER PRIMARY KEY,
  key     TEXT UNIQUE,                               -- the network''s id, else the folded name; null once another has taken the name
  is_self INTEGER NOT NULL DEFAULT 0 CHECK (is_self IN (0, 1)), -- 1 for the account''s own person
  self_by INTEGER NOT NULL DEFAULT 0 CHECK (self_by BETWEEN 0 AND 2) -- who says so besides own_name: 0 nobody, 1 the network or
    -- an export, 2 an export by a word such as 나
) STRICT'
  WHERE type = 'table' AND name = 'user';
UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
PRAGMA writable_schema = RESET;
