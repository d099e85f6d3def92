-- Finding messages by what they say, who said it and where.

-- For each message what is searched of it, its id as rowid; docs/search.md tells how a text becomes tokens. The table keeps no
-- text of its own, and any SQLite with FTS5 can query and check it.
CREATE VIRTUAL TABLE message_search USING fts5(
  text,                                              -- the body: words, and pairs of Hangul, Han and Kana characters
  chars,                                             -- each such character of the body once
  facets,                                            -- all, r<room.id>, u<user.id>, k<kind> unless message, hlink with a link
  content = '', columnsize = 0, tokenize = 'unicode61'
);

-- The index, and while it is being made anew the next one: what made it, and how far it reaches.
CREATE TABLE search_index (
  name     TEXT PRIMARY KEY CHECK (name IN ('message_search', 'message_search_next')),
  analyser INTEGER NOT NULL,                         -- version of the rules by which a body becomes tokens
  from_us  INTEGER NOT NULL                          -- messages from this id on are in it; earlier ones are not yet
) STRICT, WITHOUT ROWID;

-- What is stored already is indexed from the newest down, in batches, by whoever writes the file.
INSERT INTO search_index (name, analyser, from_us)
  SELECT 'message_search', 2, ifnull(max(id) + 1, -9223372036854775808) FROM message;
