-- A room can be a group: several people in a program that calls no such room a channel, such as KakaoTalk. Groups of earlier imports
-- are channels until they are imported again. Only texts of the schema change: 0004 says why in this way, 0017 why message_raw is last.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(replace(sql,
    '(''channel'', ''direct'', ''server'')',
    '(''channel'', ''group'', ''direct'', ''server'')'),
    '-- a direct room is a conversation with one person or a few; a server is one room',
    '-- a group has several people; a direct room is a conversation with one person or a few; a server is one room')
  WHERE type = 'table' AND name = 'room';
UPDATE sqlite_schema SET sql = replace(sql, '-- channel, direct or server', '-- channel, group, direct or server')
  WHERE type = 'view' AND name = 'rooms';
UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
PRAGMA writable_schema = RESET;
