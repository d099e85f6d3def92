-- This replaced the function hits, as 0004_hits.sql does again. Tables of version 3 have it already.
DO $$ BEGIN END $$;
