-- The different words of each account's messages, in which a search finds the words that contain some letters.
CREATE TABLE scrollback.word (
  account_id bigint NOT NULL,
  word       text COLLATE "C" NOT NULL,              -- as in message.search
  PRIMARY KEY (account_id, word)
);

-- Returns each three letters of a word, once, with its account; null for a word of two letters at most.
CREATE FUNCTION scrollback.word_parts(account bigint, word text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT pg_catalog.array_agg(DISTINCT account || ':' || pg_catalog.substr(word, n, 3))
  FROM pg_catalog.generate_series(1, pg_catalog.length(word) - 2) AS n
$$;
-- Without fastupdate, a search never reads a list of new words that are not in the index yet.
CREATE INDEX word_part ON scrollback.word USING gin (scrollback.word_parts(account_id, word)) WITH (fastupdate = off);

-- Returns words of an account that contain three letters or more, or end with them, in no order. `account_id + 0` and the setting keep
-- the planner from reading all words of the account.
CREATE FUNCTION scrollback.words(account bigint, part text, at_end boolean, wanted bigint) RETURNS SETOF text
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100 SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
BEGIN
  IF NOT scrollback.may_read(account) THEN RETURN; END IF;
  RETURN QUERY SELECT w.word FROM scrollback.word AS w
    WHERE w.account_id + 0 = account
      AND scrollback.word_parts(w.account_id, w.word) @> scrollback.word_parts(account, part)
      AND CASE WHEN at_end THEN right(w.word, length(part)) = part ELSE strpos(w.word, part) > 0 END
    LIMIT wanted;
END
$$;
REVOKE ALL ON FUNCTION scrollback.words(bigint, text, boolean, bigint) FROM PUBLIC;

-- The words of what is here already: without marks, emoji (U+E000), and pairs of Hangul, Han and Kana, which match anywhere. A listener
-- that makes the words of an account again replaces those of earlier rules.
INSERT INTO scrollback.word (account_id, word)
  SELECT DISTINCT account_id, lexeme
  FROM scrollback.message CROSS JOIN LATERAL unnest(search) AS words (lexeme, positions, weights)
  WHERE lexeme !~ U&'^[:\E000\3005-\30FF\3131-\318E\3400-\9FFF\AC00-\D7A3]' AND length(lexeme) <= 256;
