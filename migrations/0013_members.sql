-- Who is in a room by now: when the network lists its members, those who have left are not read.
CREATE INDEX membership_present ON membership (room_id, user_id) WHERE left_at_us IS NULL;
