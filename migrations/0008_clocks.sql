-- Sessions by the network's clock, where it tells its time: what is covered is told by that, as messages are.

-- How far the network's clock was ahead of ours when it was last told; below 0 where it is behind, 0 where none is told.
ALTER TABLE session ADD COLUMN clock_lead_us INTEGER NOT NULL DEFAULT 0;
-- The last sign of life by the network's clock: up to there what was live is covered.
ALTER TABLE session ADD COLUMN heard_until_us INTEGER NOT NULL
  GENERATED ALWAYS AS (last_sign_of_life_us + clock_lead_us) VIRTUAL;
