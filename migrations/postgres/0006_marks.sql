-- Messages with a reaction, an answer, a pin, a picture, a film or a sound get marks in `search`, as 0035_marks.sql of the files does.
-- The kind of a file follows from the last part of its path.
WITH marked AS (
  SELECT account_id, id, string_agg(mark, ' ')::tsvector AS marks, max(flag) AS flag FROM (
    SELECT account_id, id, ''':xreply''' AS mark, 0::bigint AS flag FROM scrollback.message WHERE reply_to IS NOT NULL
    UNION SELECT account_id, id, ''':xpinned''', 0 FROM scrollback.message WHERE flags & 512 <> 0
    UNION SELECT m.account_id, m.id, ''':hreaction''', 8192
      FROM scrollback.reaction AS r JOIN scrollback.message AS m USING (account_id, room_id, remote_id)
      WHERE r.removed_at_us IS NULL
    UNION SELECT a.account_id, a.message_id, ''':' || kind || '''', 0
      FROM scrollback.attachment AS a
        JOIN scrollback.file AS f ON f.account_id = a.account_id AND f.id = a.file_id
        JOIN (VALUES ('himage', 'png|jpg|jpeg|gif|webp|heic|heif|bmp|svg|avif|tiff'),
          ('hvideo', 'mp4|mov|m4v|webm|mkv|avi|3gp'), ('haudio', 'mp3|m4a|aac|wav|ogg|opus|flac')) AS k (kind, endings)
          ON f.path ~* ('^[^?#]*[^/.?#][^/?#]*\.(' || endings || ')\.*/*([?#]|$)')
  ) AS found GROUP BY account_id, id
)
UPDATE scrollback.message AS m SET search = m.search || marked.marks, flags = m.flags | marked.flag
FROM marked WHERE m.account_id = marked.account_id AND m.id = marked.id;
