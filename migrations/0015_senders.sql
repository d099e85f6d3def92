-- The number of messages of each person is counted along an index, without reading the messages.

CREATE INDEX message_sender ON message (room_id, sender_id) WHERE noise = 0;
