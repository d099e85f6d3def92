-- The version of the rules by which a body becomes words, for each account: `search` of its messages was made by it or by a later
-- one. A listener of a later version copies the account a second time from its first change, which makes all words again.
-- Listeners that don't know the columns have version 4.
ALTER TABLE scrollback.feed_position
  ADD COLUMN analyser bigint NOT NULL DEFAULT 4,     -- of all messages
  ADD COLUMN next_analyser bigint NOT NULL DEFAULT 4; -- of the messages up to seq
