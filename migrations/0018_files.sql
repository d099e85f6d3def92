-- The change feed reports files that came later or have another state; 0004 says why in this way.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
  SET sql = replace(replace(sql, 'what BETWEEN 0 AND 5', 'what BETWEEN 0 AND 6'),
    '5 its reactions are others (message.id)', '5 its reactions are others, 6 its files are others (message.id)')
  WHERE type = 'table' AND name = 'change';
PRAGMA writable_schema = RESET;
