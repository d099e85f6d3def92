-- The shared archive: the tables of account files (docs/schema.md) with the account's number in front.
--
-- Times are microseconds since 1970-01-01 UTC. Text is compared by bytes, as in SQLite ("C"). There are no foreign keys: every
-- row is a copy of a row of a file, where they hold, and a transaction may bring a row before the one that it names.
-- Nothing here needs more than PostgreSQL 13: no extension, no sequence, no trigger.

-- One life of an account's file. A restored file has another epoch: it is loaded beside the old one, which it then replaces.
CREATE TABLE scrollback.account (
  id            bigint PRIMARY KEY,                  -- account_id of all other tables
  folder        text COLLATE "C" NOT NULL,           -- the account's folder, whose name has a random part
  name          text COLLATE "C" NOT NULL,           -- as the configuration calls it; two machines may have the same
  network       text COLLATE "C" NOT NULL,
  epoch         text COLLATE "C" NOT NULL,           -- of the file
  created_at_us bigint NOT NULL,                     -- when the file was made
  state         text NOT NULL CHECK (state IN ('current', 'loading', 'replaced')),
    -- readers see current; loading waits for its end beside a current one; replaced is being removed
  UNIQUE (folder, epoch)
);

-- How far an account's change feed was replicated. The position is written with what it covers, in one transaction.
CREATE TABLE scrollback.feed_position (
  account_id      bigint PRIMARY KEY,
  seq             bigint NOT NULL,                   -- everything up to this change is here
  end_seq         bigint NOT NULL,                   -- the feed's end when it was last read
  caught_up_at_us bigint                             -- when the feed was last found to have no more, by the listener's clock
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
-- Of names with other characters than ASCII, which a search compares one by one.
CREATE INDEX person_name_long ON scrollback.person_name (account_id) WHERE length(name) <> octet_length(name);

-- The file's table user_picture.
CREATE TABLE scrollback.person_picture (
  account_id    bigint NOT NULL,
  user_id       bigint NOT NULL,
  first_seen_us bigint NOT NULL,
  last_seen_us  bigint,
  path          text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, user_id, first_seen_us)
);

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

-- By years of the id; scrollback.make_messages_of(year) makes a part when its first message comes.
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
  search         tsvector,                           -- what a search finds, by Scrollback's own rules; null for noise
  PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX message_room ON scrollback.message (account_id, room_id, noise, id);
CREATE INDEX message_remote ON scrollback.message (account_id, room_id, remote_id) WHERE remote_id IS NOT NULL;
CREATE INDEX message_reply ON scrollback.message (account_id, room_id, reply_to) WHERE reply_to IS NOT NULL;
CREATE INDEX message_search ON scrollback.message USING gin (search);
CREATE INDEX message_sender ON scrollback.message (account_id, sender_id, id) WHERE search IS NOT NULL;

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

-- Which role may read which accounts, once roles.sql was run. A role may be a group.
CREATE TABLE scrollback.permission (
  role   name NOT NULL,
  folder text COLLATE "C" NOT NULL,                  -- of the account; '' for all accounts, also those that come later
  PRIMARY KEY (role, folder)
);

-- The role whose rights count: that of SET ROLE, or the user's. In a SECURITY DEFINER function, current_user is the owner.
CREATE FUNCTION scrollback.asking() RETURNS name
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN CASE current_setting('role') WHEN 'none' THEN session_user ELSE current_setting('role')::name END;
END
$$;
REVOKE ALL ON FUNCTION scrollback.asking() FROM PUBLIC;

-- The numbers of the accounts that the asking role has permission for. Each table of a statement asks once. plpgsql keeps the
-- plan, which halves the time.
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

-- The ids of an account's messages that a search finds: of one part of message after the other, the newest or the oldest first,
-- until there are enough. In a part, it looks through the first 1,000 messages, then through some 30,000 with the help of
-- message_search, and then into the rest by message_search: a frequent word is found in the first, a rare one by the last. Left to
-- itself, the planner takes a rare word for a frequent one and reads all messages. `id + 0` keeps it from that. A search for senders
-- or rooms alone reads an index in the order of time. The hits are few: ROWS keeps the planner from reading all messages to join
-- them. The function reads with its owner's rights and checks the account itself: under a policy PostgreSQL does not use the index
-- for @@, which is not leakproof.
CREATE FUNCTION scrollback.hits(
  account bigint, query text, after_us bigint, before_us bigint, wanted bigint, newest_first boolean
) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20 SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  -- With the account's own mark, which message_search looks up too.
  marked tsquery := (''':a' || account || '''')::tsquery && query::tsquery;
  kind text := substring(query::tsquery::text FROM '^'':([ur])[0-9]+''(?: \| '':\1[0-9]+'')*$');
  subjects bigint[] := CASE WHEN kind IS NOT NULL THEN
    (SELECT array_agg(digits[1]::bigint) FROM regexp_matches(query, '[0-9]+', 'g') AS digits) END;
  direction text := CASE WHEN newest_first THEN 'DESC' ELSE 'ASC' END;
  part regclass;
  found bigint := 0;
  count bigint;
  -- The bounds of the messages of a part that were not looked through, both exclusive.
  low bigint;
  high bigint;
  -- The last message of a step, and the number of messages in it.
  edge bigint;
  seen bigint;
  -- True once a part had too few hits in all its messages: the next parts are not looked through first.
  is_rare boolean := false;
BEGIN
  IF NOT scrollback.may_read(account) THEN RETURN; END IF;
  FOR part IN
    SELECT inhrelid FROM pg_inherits WHERE inhparent = 'scrollback.message'::regclass
    ORDER BY CASE WHEN newest_first THEN -scrollback.part_rank(inhrelid) ELSE scrollback.part_rank(inhrelid) END
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
    FOR step IN (CASE WHEN is_rare THEN 3 ELSE 1 END)..3 LOOP
      IF step = 1 THEN
        EXECUTE format(
          'SELECT count(*), CASE WHEN $4 THEN min(id) ELSE max(id) END, max(id) - min(id) FROM (
            SELECT id FROM %s WHERE account_id = $1 AND id > $2 AND id < $3 ORDER BY id %s LIMIT 1000) AS first',
          part, direction)
          INTO seen, edge, count USING account, low, high, newest_first;
        EXIT WHEN seen = 0;
        IF seen < 1000 THEN edge := NULL; END IF;
      ELSIF step = 2 THEN
        -- As long as 30 times the first step.
        edge := CASE WHEN newest_first THEN greatest(low + 1.0, high - 30.0 * count)
          ELSE least(high - 1.0, low + 30.0 * count) END;
      ELSE
        edge := NULL;
      END IF;
      RETURN QUERY EXECUTE format(
        'SELECT id FROM %s WHERE account_id = $1 AND search @@ $2 AND id > $3 AND id < $4 ORDER BY id%s %s LIMIT $5',
        part, CASE WHEN step = 1 THEN '' ELSE ' + 0' END, direction)
        USING account, CASE WHEN edge IS NULL THEN marked ELSE query::tsquery END,
          CASE WHEN newest_first THEN coalesce(edge - 1, low) ELSE low END,
          CASE WHEN newest_first THEN high ELSE coalesce(edge + 1, high) END, wanted - found;
      GET DIAGNOSTICS seen = ROW_COUNT;
      found := found + seen;
      is_rare := step = 3;
      EXIT WHEN found >= wanted OR edge IS NULL;
      IF newest_first THEN high := edge; ELSE low := edge; END IF;
    END LOOP;
    EXIT WHEN found >= wanted;
  END LOOP;
END
$$;

REVOKE ALL ON FUNCTION scrollback.hits(bigint, text, bigint, bigint, bigint, boolean) FROM PUBLIC;

-- True if the asking role may read the account: always for the owner of the tables, for writers, and before roles.sql was run.
CREATE FUNCTION scrollback.may_read(account bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT NOT relrowsecurity OR pg_has_role(scrollback.asking(), relowner, 'MEMBER')
    OR EXISTS (SELECT FROM pg_roles AS r
      WHERE rolname = 'scrollback_writer' AND pg_has_role(scrollback.asking(), r.oid, 'MEMBER'))
    OR account = ANY (scrollback.permitted())
  FROM pg_class WHERE oid = 'scrollback.message'::regclass
$$;
REVOKE ALL ON FUNCTION scrollback.may_read(bigint) FROM PUBLIC;

-- The order of the parts of message, by time.
CREATE FUNCTION scrollback.part_rank(part oid) RETURNS bigint
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE relname WHEN 'message_before_1990' THEN 0 WHEN 'message_from_2100' THEN 9999
    ELSE substring(relname FROM '[0-9]+$')::bigint END
  FROM pg_class WHERE oid = part
$$;
