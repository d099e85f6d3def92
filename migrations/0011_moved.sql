-- Messages whose source's clock had gone back: its order puts them into a later minute than its time. An import finds by their
-- time the few that are not found there by their id.
CREATE INDEX message_moved ON message (source_time_us) WHERE source_time_us < id - id % 60000000;
