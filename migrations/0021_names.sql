-- The change feed tells of each user and room when it is stored. Here it tells of those that are stored already.
INSERT INTO change (what, subject_id) SELECT 2, id FROM user ORDER BY id;
INSERT INTO change (what, subject_id) SELECT 2, -id FROM room ORDER BY id;
