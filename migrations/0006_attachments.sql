-- What became of fetching files.

-- 0 not here, 1 here, 2 larger than the limit, 3 the network has it no more, 4 not the network's own, so never asked for.
ALTER TABLE attachment ADD COLUMN state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 4);
-- 1 while somebody waits for it, whether or not the configuration has files fetched.
ALTER TABLE attachment ADD COLUMN asked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attachment ADD COLUMN tried_at_us INTEGER;  -- when it was tried last, or came; null when it never was
ALTER TABLE attachment ADD COLUMN limit_bytes INTEGER;  -- of state 2, the limit
-- How much of it is on disk in attachments/unfinished/, and what the network calls that content; null where nothing is.
ALTER TABLE attachment ADD COLUMN part_bytes INTEGER;
ALTER TABLE attachment ADD COLUMN part_tag TEXT;

UPDATE attachment SET state = 1 WHERE sha256 IS NOT NULL;

DROP INDEX attachment_missing;
CREATE INDEX attachment_missing ON attachment (id) WHERE state = 0;
CREATE INDEX attachment_asked ON attachment (id) WHERE asked = 1;
CREATE INDEX attachment_part ON attachment (path) WHERE part_bytes IS NOT NULL;
CREATE INDEX attachment_path ON attachment (path);

-- Messages with files get another facet: an index that has some is made anew.
UPDATE search_index SET analyser = 0 WHERE EXISTS (SELECT 1 FROM attachment);
