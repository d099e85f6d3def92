-- How a session's times of receipt differ from this machine's clocks, so that an outage is measured whatever the wall clock did.

-- Times of receipt less the wall clock, in microseconds; above 0 after the wall clock was ahead.
ALTER TABLE session ADD COLUMN ahead_us INTEGER NOT NULL DEFAULT 0;
-- The start of the machine, as a time of receipt, and the kernel's id of that start; null where not known.
ALTER TABLE session ADD COLUMN booted_at_us INTEGER;
ALTER TABLE session ADD COLUMN boot TEXT;
