-- What rules have removed from the accounts, as their files have it. An account that is restored from an older backup
-- does not store it again.

CREATE TABLE purged (
  account       TEXT NOT NULL,                       -- the account's name
  created_at_us INTEGER NOT NULL,                    -- and when it was made: a later account of that name is another
  digest        BLOB NOT NULL,                       -- as in purged_before of the account's file
  last_us       INTEGER NOT NULL,                    -- message.id of the last that was removed
  PRIMARY KEY (account, created_at_us, digest)
) STRICT, WITHOUT ROWID;
CREATE TABLE applied_rule (
  account       TEXT NOT NULL,
  created_at_us INTEGER NOT NULL,
  rule          TEXT NOT NULL,                       -- as in applied_rule of the account's file
  first_at_us   INTEGER NOT NULL,
  PRIMARY KEY (account, created_at_us, rule)
) STRICT, WITHOUT ROWID;
