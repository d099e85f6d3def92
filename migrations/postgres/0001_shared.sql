-- The shared archive: the tables of account files (docs/schema.md), each with the account's number as its first column.
--
-- Times are microseconds since 1970-01-01 UTC. Text is compared by bytes, as in SQLite ("C"). There are no foreign keys: every
-- row is a copy of a row of a file, where they hold, and a transaction may bring a row before the one that it names.
-- Nothing here needs more than PostgreSQL 13: no extension, no sequence, no trigger.

-- An account's file in one epoch. A restored file has another epoch: it is loaded beside the old one, which it then replaces.
CREATE TABLE scrollback.account (
  id            bigint PRIMARY KEY,                  -- account_id of all other tables
  folder        text COLLATE "C" NOT NULL,           -- the account's folder, whose name has a random part
  name          text COLLATE "C" NOT NULL,           -- as in the configuration; two machines may have the same
  network       text COLLATE "C" NOT NULL,
  epoch         text COLLATE "C" NOT NULL,           -- of the file
  created_at_us bigint NOT NULL,                     -- when the file was made
  state         text NOT NULL CHECK (state IN ('current', 'loading', 'replaced')),
    -- readers see current; loading is incomplete, beside a current one; replaced is being removed
  UNIQUE (folder, epoch)
);

-- The position up to which an account's change feed was replicated. One transaction writes the position and what it covers.
CREATE TABLE scrollback.feed_position (
  account_id      bigint PRIMARY KEY,
  seq             bigint NOT NULL,                   -- everything up to this change is here
  end_seq         bigint NOT NULL,                   -- the feed's end when it was last read
  caught_up_at_us bigint                             -- when the feed last had no more, by the listener's clock
);

CREATE TABLE scrollback.room (
  account_id       bigint NOT NULL,
  id               bigint NOT NULL,
  key              text COLLATE "C" NOT NULL,
  kind             text COLLATE "C" NOT NULL,
  messages         bigint NOT NULL,
  workspace_id     bigint,
  partner_id       bigint,
  left_at_us       bigint,
  gone_at_us       bigint,
  asked_back_to_us bigint,
  PRIMARY KEY (account_id, id)
);

CREATE TABLE scrollback.room_name (
  account_id    bigint NOT NULL,
  room_id       bigint NOT NULL,
  first_seen_us bigint NOT NULL,
  last_seen_us  bigint,
  name          text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, room_id, first_seen_us)
);

-- The file's table user: a reserved word here.
CREATE TABLE scrollback.person (
  account_id bigint NOT NULL,
  id         bigint NOT NULL,
  key        text COLLATE "C",
  is_self    bigint NOT NULL,
  PRIMARY KEY (account_id, id)
);

-- The file's table user_name.
CREATE TABLE scrollback.person_name (
  account_id    bigint NOT NULL,
  user_id       bigint NOT NULL,
  first_seen_us bigint NOT NULL,
  last_seen_us  bigint,
  name          text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, user_id, first_seen_us)
);

CREATE INDEX person_name_lower ON scrollback.person_name (account_id, lower(name));
-- The names with other characters than ASCII, which a search compares one by one.
CREATE INDEX person_name_long ON scrollback.person_name (account_id) WHERE length(name) <> octet_length(name);

-- The file's table user_picture. The indices of paths are hashes, because a path may be longer than an entry of another index.
CREATE TABLE scrollback.person_picture (
  account_id    bigint NOT NULL,
  user_id       bigint NOT NULL,
  first_seen_us bigint NOT NULL,
  last_seen_us  bigint,
  path          text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, user_id, first_seen_us)
);
CREATE INDEX person_picture_path ON scrollback.person_picture USING hash (path);

CREATE TABLE scrollback.workspace (
  account_id bigint NOT NULL,
  id         bigint NOT NULL,
  key        text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, id)
);

CREATE TABLE scrollback.workspace_name (
  account_id    bigint NOT NULL,
  workspace_id  bigint NOT NULL,
  first_seen_us bigint NOT NULL,
  last_seen_us  bigint,
  name          text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, workspace_id, first_seen_us)
);

CREATE TABLE scrollback.workspace_picture (
  account_id    bigint NOT NULL,
  workspace_id  bigint NOT NULL,
  first_seen_us bigint NOT NULL,
  last_seen_us  bigint,
  path          text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, workspace_id, first_seen_us)
);
CREATE INDEX workspace_picture_path ON scrollback.workspace_picture USING hash (path);

CREATE TABLE scrollback.room_picture (
  account_id    bigint NOT NULL,
  room_id       bigint NOT NULL,
  first_seen_us bigint NOT NULL,
  last_seen_us  bigint,
  path          text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, room_id, first_seen_us)
);
CREATE INDEX room_picture_path ON scrollback.room_picture USING hash (path);

CREATE TABLE scrollback.room_description (
  account_id    bigint NOT NULL,
  room_id       bigint NOT NULL,
  first_seen_us bigint NOT NULL,
  last_seen_us  bigint,
  text          text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, room_id, first_seen_us)
);

CREATE TABLE scrollback.room_owner (
  account_id    bigint NOT NULL,
  room_id       bigint NOT NULL,
  first_seen_us bigint NOT NULL,
  last_seen_us  bigint,
  user_id       bigint NOT NULL,
  PRIMARY KEY (account_id, room_id, first_seen_us)
);

CREATE TABLE scrollback.membership (
  account_id   bigint NOT NULL,
  room_id      bigint NOT NULL,
  user_id      bigint NOT NULL,
  joined_at_us bigint,
  left_at_us   bigint,
  PRIMARY KEY (account_id, room_id, user_id)
);

CREATE TABLE scrollback.sender_count (
  account_id bigint NOT NULL,
  room_id    bigint NOT NULL,
  sender_id  bigint NOT NULL,
  messages   bigint NOT NULL,
  PRIMARY KEY (account_id, room_id, sender_id)
);

CREATE TABLE scrollback.session (
  account_id           bigint NOT NULL,
  id                   bigint NOT NULL,
  started_at_us        bigint NOT NULL,
  last_sign_of_life_us bigint NOT NULL,
  ended_at_us          bigint,
  reason               text COLLATE "C",
  detail               text COLLATE "C",
  clock_lead_us        bigint NOT NULL,
  heard_until_us       bigint NOT NULL GENERATED ALWAYS AS (last_sign_of_life_us + clock_lead_us) STORED,
  ahead_us             bigint NOT NULL,
  booted_at_us         bigint,
  boot                 text COLLATE "C",
  PRIMARY KEY (account_id, id)
);

-- In parts by the year of the id; scrollback.make_messages_of(year) makes a part when its first message comes.
CREATE TABLE scrollback.message (
  account_id     bigint NOT NULL,
  id             bigint NOT NULL,
  room_id        bigint NOT NULL,
  kind           bigint NOT NULL,
  noise          bigint NOT NULL GENERATED ALWAYS AS (CASE WHEN kind IN (4, 5, 7, 9) THEN 1 ELSE 0 END) STORED,
  sender_id      bigint,
  session_id     bigint,
  received_at_us bigint,
  source_time_us bigint,
  flags          bigint NOT NULL,
  remote_id      text COLLATE "C",
  body           text COLLATE "C",
  edited_at_us   bigint,
  deleted_at_us  bigint,
  reply_to       text COLLATE "C",
  search         tsvector,                           -- what a search finds, by Scrollback's rules; null for noise
  PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX message_room ON scrollback.message (account_id, room_id, noise, id);
CREATE INDEX message_remote ON scrollback.message (account_id, room_id, remote_id) WHERE remote_id IS NOT NULL;
CREATE INDEX message_reply ON scrollback.message (account_id, room_id, reply_to) WHERE reply_to IS NOT NULL;
CREATE INDEX message_search ON scrollback.message USING gin (search);
CREATE INDEX message_sender ON scrollback.message (account_id, sender_id, id) WHERE search IS NOT NULL;
-- The messages of each room that could not be read.
CREATE INDEX message_encrypted ON scrollback.message (account_id, room_id)
  WHERE flags & 1024 <> 0 AND body IS NULL AND deleted_at_us IS NULL;
-- Finds the last topic of a room in one look-up.
CREATE INDEX message_topic ON scrollback.message (account_id, room_id, id) WHERE kind = 8;

CREATE TABLE scrollback.message_version (
  account_id bigint NOT NULL,
  message_id bigint NOT NULL,
  at_us      bigint NOT NULL,
  body       text COLLATE "C",
  PRIMARY KEY (account_id, message_id, at_us)
);

CREATE TABLE scrollback.reaction (
  account_id    bigint NOT NULL,
  room_id       bigint NOT NULL,
  remote_id     text COLLATE "C" NOT NULL,
  user_id       bigint NOT NULL,
  text          text COLLATE "C" NOT NULL,
  at_us         bigint NOT NULL,
  removed_at_us bigint,
  own_id        text COLLATE "C",
  PRIMARY KEY (account_id, room_id, remote_id, user_id, text)
);

CREATE TABLE scrollback.retraction (
  account_id bigint NOT NULL,
  room_id    bigint NOT NULL,
  remote_id  text COLLATE "C" NOT NULL,
  user_id    bigint,
  at_us      bigint NOT NULL,
  reason     text COLLATE "C",
  wipes      bigint NOT NULL,
  PRIMARY KEY (account_id, room_id, remote_id)
);

-- Files and their states, without the bytes.
CREATE TABLE scrollback.attachment (
  account_id bigint NOT NULL,
  id         bigint NOT NULL,
  message_id bigint NOT NULL,
  file_id    bigint NOT NULL,
  bytes      bigint,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX attachment_message ON scrollback.attachment (account_id, message_id);

CREATE TABLE scrollback.file (
  account_id  bigint NOT NULL,
  id          bigint NOT NULL,
  path        text COLLATE "C" NOT NULL,
  sha256      text COLLATE "C",
  bytes       bigint,
  state       bigint NOT NULL,
  attempts    bigint NOT NULL,
  tried_at_us bigint,
  next_try_us bigint,
  error       text COLLATE "C",
  limit_bytes bigint,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX file_path ON scrollback.file USING hash (path);

CREATE TABLE scrollback.content (
  account_id bigint NOT NULL,
  sha256     text COLLATE "C" NOT NULL,
  bytes      bigint NOT NULL,
  PRIMARY KEY (account_id, sha256)
);

CREATE TABLE scrollback.coverage (
  account_id bigint NOT NULL,
  id         bigint NOT NULL,
  room_id    bigint NOT NULL,
  from_us    bigint NOT NULL,
  to_us      bigint,
  session_id bigint NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX coverage_room ON scrollback.coverage (account_id, room_id, from_us);

CREATE TABLE scrollback.imported_span (
  account_id bigint NOT NULL,
  room_id    bigint NOT NULL,
  from_us    bigint NOT NULL,
  to_us      bigint NOT NULL,
  PRIMARY KEY (account_id, room_id, from_us)
);

CREATE TABLE scrollback.gap_note (
  account_id  bigint NOT NULL,
  room_id     bigint NOT NULL,
  from_us     bigint NOT NULL,
  reason      text COLLATE "C" NOT NULL,
  attempts    bigint NOT NULL,
  next_try_us bigint,
  unfilled    text COLLATE "C",
  detail      text COLLATE "C",
  PRIMARY KEY (account_id, room_id, from_us)
);

CREATE TABLE scrollback.room_trouble (
  account_id  bigint NOT NULL,
  room_id     bigint NOT NULL,
  about       bigint NOT NULL,
  reason      text COLLATE "C" NOT NULL,
  detail      text COLLATE "C",
  since_us    bigint NOT NULL,
  next_try_us bigint,
  PRIMARY KEY (account_id, room_id, about)
);

CREATE TABLE scrollback.read_marker (
  account_id bigint NOT NULL,
  room_id    bigint NOT NULL,
  through_us bigint NOT NULL,
  seq        bigint NOT NULL,
  set_at_us  bigint NOT NULL,
  PRIMARY KEY (account_id, room_id)
);

CREATE TABLE scrollback.late (
  account_id bigint NOT NULL,
  room_id    bigint NOT NULL,
  seq        bigint NOT NULL,
  message_id bigint NOT NULL,
  PRIMARY KEY (account_id, room_id, seq)
);

-- The change feed, with the file's numbers, so that a position means the same here and there.
CREATE TABLE scrollback.change (
  account_id bigint NOT NULL,
  seq        bigint NOT NULL,
  what       bigint NOT NULL,
  subject_id bigint NOT NULL,
  PRIMARY KEY (account_id, seq)
);

-- Makes the part of message with that year's ids; before 1990 and from 2100 on are one part each. A writer may call it without
-- owning the table.
CREATE FUNCTION scrollback.make_messages_of(year bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  part text := CASE WHEN year < 1990 THEN 'message_before_1990' WHEN year >= 2100 THEN 'message_from_2100'
    ELSE 'message_' || year END;
  low text := CASE WHEN year < 1990 THEN 'MINVALUE'
    ELSE (extract(epoch FROM make_timestamptz(least(year, 2100)::int, 1, 1, 0, 0, 0, 'UTC'))::bigint * 1000000)::text END;
  high text := CASE WHEN year >= 2100 THEN 'MAXVALUE'
    ELSE (extract(epoch FROM make_timestamptz(greatest(year + 1, 1990)::int, 1, 1, 0, 0, 0, 'UTC'))::bigint * 1000000)::text END;
BEGIN
  IF to_regclass('scrollback.' || part) IS NULL THEN
    EXECUTE format('CREATE TABLE scrollback.%I PARTITION OF scrollback.message FOR VALUES FROM (%s) TO (%s)', part, low, high);
  END IF;
END
$$;
REVOKE ALL ON FUNCTION scrollback.make_messages_of(bigint) FROM PUBLIC;

-- The accounts that each role may read, after roles.sql was run. A role may be a group.
CREATE TABLE scrollback.permission (
  role   name NOT NULL,
  folder text COLLATE "C" NOT NULL,                  -- of the account; '' for all accounts, also later ones
  PRIMARY KEY (role, folder)
);

-- Returns the role whose rights count: that of SET ROLE, or the user's. In a SECURITY DEFINER function, current_user is the owner.
CREATE FUNCTION scrollback.asking() RETURNS name
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN CASE current_setting('role') WHEN 'none' THEN session_user ELSE current_setting('role')::name END;
END
$$;
REVOKE ALL ON FUNCTION scrollback.asking() FROM PUBLIC;

-- Returns the numbers of the accounts that the asking role may read. Each table of a statement asks once. plpgsql keeps the plan, which
-- halves the time.
CREATE FUNCTION scrollback.permitted() RETURNS bigint[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  asking name := scrollback.asking();
BEGIN
  RETURN (
    SELECT coalesce(array_agg(DISTINCT a.id), '{}') FROM scrollback.account AS a
      JOIN scrollback.permission AS p ON p.folder IN (a.folder, '')
      JOIN pg_roles AS r ON r.rolname = p.role
    WHERE pg_has_role(asking, r.oid, 'MEMBER'));
END
$$;
REVOKE ALL ON FUNCTION scrollback.permitted() FROM PUBLIC;

-- Returns the ids of an account's messages that a search finds: from one part of message after the other, the newest or the oldest
-- first, until there are enough. In the first part it looks through 1,000 messages, in the order of time. If several of them are hits,
-- it continues, as far as the rest of the hits may be; else it asks message_search, first for the hits among some 30,000 messages, then
-- for the rest of the part and for the next parts. Measured on parts of 1.4 million messages: looking through takes 0.7 µs a message;
-- message_search takes 0.1 µs for each hit of the part and 2 µs for each that is read; the ids of an account's messages take 0.04 µs
-- each. The planner chooses by these costs whether it reads the hits of all accounts or compares them with the account's ids first, if
-- a random page costs little more than the next one, as in memory and on flash.
-- `IS TRUE` and `id + 0` keep the planner from the other way, because its estimates are wrong by far. `OFFSET 0` ranks every part once.
-- A search for senders or rooms alone reads an index in the order of time. The hits are few: ROWS keeps the planner from reading all
-- messages to join them. The function reads with its owner's rights and checks the account itself: under a policy PostgreSQL does not
-- use the index for @@, which is not leakproof.
CREATE FUNCTION scrollback.hits(
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
REVOKE ALL ON FUNCTION scrollback.hits(bigint, text, bigint, bigint, bigint, boolean) FROM PUBLIC;

-- Returns true if the asking role may read the account: always for the owner of the tables, for writers, and before roles.sql was run.
CREATE FUNCTION scrollback.may_read(account bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT NOT relrowsecurity OR pg_has_role(scrollback.asking(), relowner, 'MEMBER')
    OR EXISTS (SELECT FROM pg_roles AS r
      WHERE rolname = 'scrollback_writer' AND pg_has_role(scrollback.asking(), r.oid, 'MEMBER'))
    OR account = ANY (scrollback.permitted())
  FROM pg_class WHERE oid = 'scrollback.message'::regclass
$$;
REVOKE ALL ON FUNCTION scrollback.may_read(bigint) FROM PUBLIC;
