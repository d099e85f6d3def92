-- The different words of the search index, in which a search finds the words that contain some letters. Rows of sorted words take 9
-- bytes for each word; a table with a row for each word and its groups of three letters would take 45 (SQLite 3.40.1).
CREATE TABLE vocabulary (
  id    INTEGER PRIMARY KEY,
  first TEXT,                                        -- first of the row's words; null for new words, which are not sorted yet
  words TEXT NOT NULL                                -- words as in message_search, each between two line feeds
) STRICT;
-- The words of a row are in order, and before the first word of the next row.
CREATE UNIQUE INDEX vocabulary_first ON vocabulary (first) WHERE first IS NOT NULL;
CREATE INDEX vocabulary_new ON vocabulary (id) WHERE first IS NULL;

-- Words of removed or changed messages, which leave the vocabulary unless another message has them.
CREATE TABLE vocabulary_gone (
  word TEXT PRIMARY KEY                              -- as in vocabulary
) STRICT, WITHOUT ROWID;

CREATE TABLE vocabulary_state (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  analyser INTEGER NOT NULL,                         -- version of the rules whose words are all here; 0 until a rebuilt index brings them
  epoch    INTEGER NOT NULL DEFAULT 0                -- another random number after words were removed
) STRICT;
INSERT INTO vocabulary_state (id, analyser)
  SELECT 1, iif(EXISTS (SELECT 1 FROM message), 0, ifnull((SELECT analyser FROM search_index WHERE name = 'message_search'), 0));
