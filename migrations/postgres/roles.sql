-- Two groups of roles for a shared archive: scrollback_writer for listeners, scrollback_reader for people. A reader sees the accounts
-- that scrollback.permission gives to the role. Can be run again at any time, also after an upgrade.
DO $$
DECLARE
  own record;
BEGIN
  FOR own IN VALUES ('scrollback_writer'), ('scrollback_reader') LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = own.column1) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', own.column1);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        -- Another database of the server made it at the same time.
        NULL;
      END;
    END IF;
  END LOOP;

  -- The parts of message have no grants: they are read through it.
  FOR own IN
    SELECT relname, CASE relname WHEN 'account' THEN 'id' ELSE 'account_id' END AS number
    FROM pg_class
    WHERE relnamespace = 'scrollback'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname NOT IN ('version', 'permission')
  LOOP
    EXECUTE format('ALTER TABLE scrollback.%I ENABLE ROW LEVEL SECURITY', own.relname);
    EXECUTE format('GRANT SELECT ON scrollback.%I TO scrollback_reader', own.relname);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON scrollback.%I TO scrollback_writer', own.relname);
    EXECUTE format('DROP POLICY IF EXISTS readers ON scrollback.%I', own.relname);
    EXECUTE format('DROP POLICY IF EXISTS writers ON scrollback.%I', own.relname);
    -- The selection in brackets is made once a statement, not once a row.
    EXECUTE format(
      'CREATE POLICY readers ON scrollback.%I FOR SELECT TO scrollback_reader USING (%I = ANY ((SELECT scrollback.permitted())::bigint[]))',
      own.relname, own.number);
    EXECUTE format(
      'CREATE POLICY writers ON scrollback.%I TO scrollback_writer USING (true) WITH CHECK (true)', own.relname);
  END LOOP;
END
$$;
GRANT USAGE ON SCHEMA scrollback TO scrollback_reader, scrollback_writer;
GRANT SELECT ON scrollback.version TO scrollback_reader, scrollback_writer;
GRANT EXECUTE ON FUNCTION scrollback.hits(bigint, text, bigint, bigint, bigint, boolean) TO scrollback_reader, scrollback_writer;
GRANT EXECUTE ON FUNCTION scrollback.words(bigint, text, boolean, bigint) TO scrollback_reader, scrollback_writer;
GRANT EXECUTE ON FUNCTION scrollback.permitted() TO scrollback_reader, scrollback_writer;
GRANT EXECUTE ON FUNCTION scrollback.make_messages_of(bigint) TO scrollback_writer;
