-- The ids of an account's messages that a search finds: of one part of message after the other, the newest or the oldest first,
-- until there are enough. In the first part it looks through 1,000 messages, in the order of time. If several of them are hits, it
-- goes on so, as far as the rest of the hits may be; else it asks message_search, first for the hits among some 30,000 messages, then
-- for the rest of the part and for the next parts. Measured on parts of 1.4 million messages: looking through takes 0.7 µs a message;
-- message_search takes 0.1 µs for each hit of the part and 2 µs for each that is read; the ids of an account's messages take 0.04 µs
-- each. The planner chooses by these costs whether it reads the hits of all accounts or compares them with the account's ids first, if
-- a random page costs little more than the next one, as in memory and on flash. The account's own mark in `search`, which hits looked
-- up until version 3 of this schema, takes 5 µs a hit: it is not written any more.
-- `IS TRUE` and `id + 0` keep the planner from the other way, because its estimates are wrong by far. `OFFSET 0` ranks every part once.
-- A search for senders or rooms alone reads an index in the order of time. The hits are few: ROWS keeps the planner from reading all
-- messages to join them. The function reads with its owner's rights and checks the account itself: under a policy PostgreSQL does not
-- use the index for @@, which is not leakproof.
CREATE OR REPLACE FUNCTION scrollback.hits(
  account bigint, query text, after_us bigint, before_us bigint, wanted bigint, newest_first boolean
) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20 SET search_path = pg_catalog, pg_temp SET random_page_cost = 1.1 SET enable_seqscan = off AS $$
DECLARE
  kind text := substring(query::tsquery::text FROM '^'':([ur])[0-9]+''(?: \| '':\1[0-9]+'')*$');
  subjects bigint[] := CASE WHEN kind IS NOT NULL THEN
    (SELECT array_agg(digits[1]::bigint) FROM regexp_matches(query, '[0-9]+', 'g') AS digits) END;
  -- Without the last word of a long phrase if only its beginning is wanted: message_search has to collect all words that begin so.
  whole text := CASE WHEN query LIKE '%!%' THEN query
    ELSE regexp_replace(query, '((?:''[^'']*'' <-> ){2}''[^'']*'') <-> ''[^'']*'':\*', '\1', 'g') END;
  -- Keeps the planner from looking up the omitted words.
  rest text := CASE WHEN whole = query THEN '' ELSE format('AND (search @@ %L::tsquery) IS TRUE', query) END;
  direction text := CASE WHEN newest_first THEN 'DESC' ELSE 'ASC' END;
  part regclass;
  found bigint := 0;
  count bigint;
  -- The bounds of the messages of a part that were not looked through, both exclusive.
  low bigint;
  high bigint;
  -- The number of messages to look through, how many there are, the last of them, and the time that they take.
  step bigint := 1000;
  seen bigint;
  edge bigint;
  span numeric;
  few bigint[];
  -- The ranks of the parts of the earliest and of the latest time.
  parts bigint[] := (SELECT array_agg(CASE WHEN us < 631152000000000 THEN 0 WHEN us >= 4102444800000000 THEN 9999
    ELSE extract(year FROM to_timestamp(us / 1e6) AT TIME ZONE 'UTC') END) FROM unnest(ARRAY[after_us, before_us]) AS us);
BEGIN
  IF NOT scrollback.may_read(account) THEN RETURN; END IF;
  FOR part IN
    SELECT oid FROM (
      SELECT c.oid, CASE relname WHEN 'message_before_1990' THEN 0 WHEN 'message_from_2100' THEN 9999
        ELSE substring(relname FROM '[0-9]+$')::bigint END AS rank
      FROM pg_inherits JOIN pg_class AS c ON c.oid = inhrelid WHERE inhparent = 'scrollback.message'::regclass OFFSET 0
    ) AS ranked
    WHERE rank BETWEEN parts[1] AND parts[2] ORDER BY CASE WHEN newest_first THEN -rank ELSE rank END
  LOOP
    IF kind IS NOT NULL THEN
      RETURN QUERY EXECUTE format(
        'SELECT m.id FROM unnest($2) AS subject CROSS JOIN LATERAL (
          SELECT id FROM %s WHERE account_id = $1 AND %s = subject AND search IS NOT NULL AND id > $3 AND id < $4
          ORDER BY id %s LIMIT $5) AS m ORDER BY m.id %s LIMIT $5',
        part, CASE kind WHEN 'u' THEN 'sender_id' ELSE 'noise = 0 AND room_id' END, direction, direction)
        USING account, subjects, after_us, before_us, wanted - found;
      GET DIAGNOSTICS count = ROW_COUNT;
      found := found + count;
      EXIT WHEN found >= wanted;
      CONTINUE;
    END IF;
    low := after_us;
    high := before_us;
    WHILE step > 0 LOOP
      EXECUTE format(
        'SELECT count(*), CASE WHEN $5 THEN min(id) ELSE max(id) END, max(id) - min(id)::numeric FROM (
          SELECT id FROM %s WHERE account_id = $1 AND id > $2 AND id < $3 ORDER BY id %s LIMIT $4) AS first',
        part, direction)
        INTO seen, edge, span USING account, low, high, step, newest_first;
      EXIT WHEN seen = 0;
      RETURN QUERY EXECUTE format(
        'SELECT id FROM %s WHERE account_id = $1 AND (search @@ $2) IS TRUE AND id > $3 AND id < $4 ORDER BY id %s LIMIT $5',
        part, direction)
        USING account, query::tsquery, CASE WHEN newest_first THEN edge - 1 ELSE low END,
          CASE WHEN newest_first THEN high ELSE edge + 1 END, wanted - found;
      GET DIAGNOSTICS count = ROW_COUNT;
      found := found + count;
      EXIT WHEN found >= wanted OR seen < step;
      IF newest_first THEN high := edge; ELSE low := edge; END IF;
      -- Once: twice as many as the rest should take, or all of a short time, such as the time in which other accounts have hits.
      -- Without a limit, all hits are wanted, which is message_search's work.
      step := CASE WHEN step <> 1000 OR wanted IS NULL THEN 0
        WHEN count > 1 THEN least(16001, (wanted - found) * 2000 / count)
        WHEN high::numeric - low < 5 * span THEN 6001
        ELSE 0 END;
    END LOOP;
    EXIT WHEN found >= wanted;
    -- The part has no more messages: the next part is looked through, too.
    CONTINUE WHEN step > 0;
    -- A rare word has fewer hits than this in all accounts of the part: they are all.
    IF span IS NOT NULL AND wanted IS NOT NULL THEN
      EXECUTE format(
        'SELECT count(*), array_agg(id) FILTER (WHERE account_id = $2 AND id > $3 AND id < $4)
          FROM (SELECT account_id, id FROM %s WHERE search @@ $1 %s LIMIT 100) AS first', part, rest)
        INTO seen, few USING whole::tsquery, account, low, high;
      IF seen < 100 THEN
        RETURN QUERY EXECUTE format('SELECT id FROM unnest($1) AS id ORDER BY id %s LIMIT $2', direction)
          USING few, wanted - found;
        GET DIAGNOSTICS count = ROW_COUNT;
        found := found + count;
        EXIT WHEN found >= wanted;
        span := NULL;
        CONTINUE;
      END IF;
    END IF;
    LOOP
      -- The times after which, and before which, message_search has to find hits: near those that were looked through, or all.
      edge := CASE WHEN span IS NULL OR wanted IS NULL THEN NULL
        WHEN newest_first THEN greatest(low + 1.0, high - 30 * span)::bigint
        ELSE least(high - 1.0, low + 30 * span)::bigint END;
      RETURN QUERY EXECUTE format(
        'SELECT id FROM %s WHERE account_id = $1 AND search @@ $2 %s AND id > $3 AND id < $4 ORDER BY id + 0 %s LIMIT $5',
        part, rest, direction)
        USING account, whole::tsquery,
          CASE WHEN newest_first AND edge IS NOT NULL THEN edge - 1 ELSE low END,
          CASE WHEN newest_first OR edge IS NULL THEN high ELSE edge + 1 END, wanted - found;
      GET DIAGNOSTICS count = ROW_COUNT;
      found := found + count;
      EXIT WHEN found >= wanted OR edge IS NULL;
      IF newest_first THEN high := edge; ELSE low := edge; END IF;
      span := NULL;
    END LOOP;
    span := NULL;
    EXIT WHEN found >= wanted;
  END LOOP;
END
$$;
