-- How far a listener of a later version has made the words of messages again that the account's file does not have any more: the id of
-- the last message that it looked at; null before and after that. `analyser` is set when there are no more.
ALTER TABLE scrollback.feed_position ADD COLUMN renewed_to bigint;
