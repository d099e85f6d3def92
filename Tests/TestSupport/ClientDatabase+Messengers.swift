// Databases of clients for XMPP, of Messages and of Viber, as their programs create them, with two messages: `alice: hi` and `민수: 안녕`.
extension ClientDatabase {
    /// Gajim 1.7 (`gajim/common/storage/archive.py`).
    package static let oldGajim = """
        CREATE TABLE jids(jid_id INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, jid TEXT UNIQUE, type INTEGER);
        CREATE TABLE logs(
            log_line_id INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, account_id INTEGER, jid_id INTEGER, contact_name TEXT,
            occupant_id TEXT, real_jid TEXT, time INTEGER, kind INTEGER, show INTEGER, message TEXT, error TEXT,
            subject TEXT, additional_data TEXT, stanza_id TEXT, message_id TEXT, encryption TEXT, encryption_state TEXT,
            marker INTEGER);
        CREATE INDEX idx_logs_jid_id_time ON logs (jid_id, time DESC);
        INSERT INTO jids (jid, type) VALUES ('me@example.net', 0), ('room@example.net', 1);
        INSERT INTO logs (account_id, jid_id, contact_name, time, kind, message, message_id)
        VALUES (1, 2, 'alice', 1795242191.123, 2, 'hi', 'a1'), (1, 2, '민수', 1795242192, 2, '안녕', 'a2');\n
        """

    /// Gajim 2.0 (`gajim/common/storage/archive/models.py`), without the tables that an import does not read.
    package static let gajim = """
        CREATE TABLE account (pk INTEGER NOT NULL, jid TEXT NOT NULL, PRIMARY KEY (pk));
        CREATE TABLE remote (pk INTEGER NOT NULL, jid TEXT NOT NULL, PRIMARY KEY (pk));
        CREATE TABLE reply (
            fk_message_pk INTEGER NOT NULL, id TEXT NOT NULL, fallback_start INTEGER, fallback_end INTEGER, "to" TEXT,
            PRIMARY KEY (fk_message_pk));
        CREATE TABLE message (
            pk INTEGER NOT NULL, fk_account_pk INTEGER NOT NULL, fk_remote_pk INTEGER NOT NULL, resource TEXT,
            type INTEGER NOT NULL, direction INTEGER NOT NULL, timestamp REAL NOT NULL, state INTEGER NOT NULL,
            id TEXT NOT NULL, stanza_id TEXT, stable_id INTEGER NOT NULL, text TEXT, user_delay_ts REAL,
            fk_thread_pk INTEGER, fk_occupant_pk INTEGER, fk_encryption_pk INTEGER, fk_security_label_pk INTEGER,
            correction_id TEXT, PRIMARY KEY (pk));
        INSERT INTO account VALUES (1, 'me@example.net');
        INSERT INTO remote VALUES (1, 'room@example.net');
        INSERT INTO message
            (fk_account_pk, fk_remote_pk, resource, type, direction, timestamp, state, id, stable_id, text)
        VALUES (1, 1, 'alice', 2, 1, 1795242191.123, 2, 'a1', 1, 'hi'), (1, 1, '민수', 2, 1, 1795242192, 2, 'a2', 1, '안녕');\n
        """

    /// Dino 0.4 (`libdino/src/service/database.vala`), without the tables that an import does not read.
    package static let dino = """
        CREATE TABLE account (
            id INTEGER PRIMARY KEY AUTOINCREMENT, bare_jid TEXT NOT NULL UNIQUE, resourcepart TEXT, password TEXT);
        CREATE TABLE jid ( id INTEGER PRIMARY KEY AUTOINCREMENT, bare_jid TEXT NOT NULL UNIQUE);
        CREATE TABLE content_item (
            id INTEGER PRIMARY KEY AUTOINCREMENT, conversation_id INTEGER NOT NULL, time INTEGER NOT NULL,
            content_type INTEGER NOT NULL, foreign_id INTEGER NOT NULL);
        CREATE TABLE message (
            id INTEGER PRIMARY KEY AUTOINCREMENT, stanza_id TEXT, server_id TEXT, account_id INTEGER NOT NULL,
            counterpart_id INTEGER NOT NULL, our_resource TEXT, counterpart_resource TEXT, direction INTEGER NOT NULL,
            type INTEGER, time INTEGER, local_time INTEGER, body TEXT, encryption INTEGER, marked INTEGER);
        CREATE VIRTUAL TABLE _fts_message USING fts4(tokenize=unicode61, content="message", body TEXT);
        CREATE TABLE message_correction (
            id INTEGER PRIMARY KEY AUTOINCREMENT, message_id INTEGER UNIQUE, to_stanza_id TEXT);
        CREATE TABLE reply (
            id INTEGER PRIMARY KEY AUTOINCREMENT, message_id INTEGER NOT NULL UNIQUE, quoted_message_id INTEGER,
            quoted_message_stanza_id TEXT, quoted_message_from TEXT);
        CREATE TABLE occupant_id (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, last_nick TEXT, jid_id INTEGER);
        CREATE TABLE reaction (
            id INTEGER PRIMARY KEY AUTOINCREMENT, account_id INTEGER NOT NULL, occupant_id INTEGER,
            content_item_id INTEGER NOT NULL, time INTEGER NOT NULL, jid_id INTEGER, emojis TEXT);
        INSERT INTO account (bare_jid, password) VALUES ('me@example.net', 'x');
        INSERT INTO jid (bare_jid) VALUES ('me@example.net'), ('room@example.net');
        INSERT INTO message
            (stanza_id, account_id, counterpart_id, our_resource, counterpart_resource, direction, type, time, body)
        VALUES ('a1', 1, 2, 'me', 'alice', 0, 2, 1795242191, 'hi'), ('a2', 1, 2, 'me', '민수', 0, 2, 1795242192, '안녕');
        INSERT INTO content_item VALUES (1, 1, 1795242191, 1, 1);
        INSERT INTO reply (message_id, quoted_message_id) VALUES (2, 1);
        INSERT INTO occupant_id VALUES (1, 1, 'carol', 2);
        INSERT INTO reaction (account_id, occupant_id, content_item_id, time, emojis) VALUES (1, 1, 1, 1795242200123, '👍');\n
        """

    /// profanity 0.13 (`src/database.c`).
    package static let profanity = """
        CREATE TABLE `ChatLogs` ( `id` INTEGER PRIMARY KEY AUTOINCREMENT, `from_jid` TEXT NOT NULL, `to_jid` TEXT NOT NULL,
            `from_resource` TEXT, `to_resource` TEXT, `message` TEXT, `timestamp` TEXT, `type` TEXT, `stanza_id` TEXT,
            `archive_id` TEXT, `replace_id` TEXT, `encryption` TEXT, `marked_read` INTEGER);
        CREATE TABLE `DbVersion` ( `dv_id` INTEGER PRIMARY KEY, `version` INTEGER UNIQUE);
        INSERT INTO ChatLogs (from_jid, to_jid, from_resource, to_resource, message, timestamp, type, stanza_id, replace_id)
        VALUES ('room@example.net', 'me@example.net', 'alice', 'x', 'hi', '2026-11-21T06:23:11.123456+00:00', 'muc', 'a1', ''),
            ('room@example.net', 'me@example.net', '민수', 'x', '안녕', '2026-11-21T06:23:12.123456+00:00', 'muc', 'a2', '');\n
        """

    /// Messages of macOS 14, with the columns that an import reads. The second text is only in its attributed form.
    package static let iMessage = """
        CREATE TABLE message (
            ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, text TEXT, handle_id INTEGER DEFAULT 0,
            attributedBody BLOB, date INTEGER, is_from_me INTEGER DEFAULT 0, item_type INTEGER DEFAULT 0,
            other_handle INTEGER DEFAULT 0, group_title TEXT, group_action_type INTEGER DEFAULT 0,
            associated_message_guid TEXT, associated_message_type INTEGER DEFAULT 0, balloon_bundle_id TEXT,
            thread_originator_guid TEXT, date_edited INTEGER DEFAULT 0);
        CREATE TABLE chat (
            ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, chat_identifier TEXT, display_name TEXT);
        CREATE TABLE handle (ROWID INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, id TEXT NOT NULL);
        CREATE TABLE attachment (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, filename TEXT, transfer_name TEXT);
        CREATE TABLE chat_handle_join (chat_id INTEGER, handle_id INTEGER, UNIQUE(chat_id, handle_id));
        CREATE TABLE chat_message_join (
            chat_id INTEGER, message_id INTEGER, message_date INTEGER DEFAULT 0, PRIMARY KEY (chat_id, message_id));
        CREATE TABLE message_attachment_join (
            message_id INTEGER, attachment_id INTEGER, UNIQUE(message_id, attachment_id));
        INSERT INTO handle (id) VALUES ('alice'), ('민수');
        INSERT INTO chat (guid, chat_identifier, display_name) VALUES ('iMessage;+;chat1', 'chat1', '');
        INSERT INTO chat_handle_join VALUES (1, 1), (1, 2);
        INSERT INTO message (guid, text, handle_id, attributedBody, date) VALUES
            ('A-1', 'hi', 1, NULL, 816934991123000000),
            ('A-2', NULL, 2, CAST(x'040B' || 'streamtyped' || x'81E803840140848484' || x'12' || 'NSAttributedString' || x'00848408'
                || 'NSObject' || x'00859284848408' || 'NSString' || x'019484012B06' || '안녕' || x'868402' AS BLOB),
                816934992000000000);
        INSERT INTO chat_message_join VALUES (1, 1, 0), (1, 2, 0);\n
        """

    /// Viber for computers, with the columns that an import reads.
    package static let viber = """
        CREATE TABLE Contact (
            ContactID integer primary key autoincrement, Name TEXT, Number TEXT unique, ClientName TEXT);
        CREATE TABLE ChatInfo (
            ChatID integer primary key autoincrement, Name varchar(200), Token varchar(50) unique, PGType integer);
        CREATE TABLE ChatRelation (ChatID integer, ContactID integer, PGRole integer, primary key (ChatID, ContactID));
        CREATE TABLE Events (
            EventID integer primary key autoincrement, TimeStamp longint not null, Direction unsigned integer not null,
            Type smallint not null, ChatID integer, ContactID integer, Token unsigned long not null);
        CREATE TABLE Messages (
            EventID integer, Type unsigned integer not null, Status integer not null, Subject varchar(500),
            Body varchar(5000), PayloadPath varchar(1000), PGIsLiked integer, Info varchar(7000), SelfReaction varchar(10),
            primary key (EventID));
        CREATE TABLE LikeRelation (MessageToken INTEGER, LikeEventID INTEGER, primary key(MessageToken, LikeEventID));
        INSERT INTO Contact (Number) VALUES ('+15550199');
        INSERT INTO Contact (Name, Number) VALUES ('alice', '+15550100'), ('민수', '+15550101');
        INSERT INTO ChatInfo (Name, Token, PGType) VALUES ('example', '7701', 255);
        INSERT INTO ChatRelation (ChatID, ContactID) VALUES (1, 1), (1, 2), (1, 3);
        INSERT INTO Events (TimeStamp, Direction, Type, ChatID, ContactID, Token) VALUES
            (1795242191123, 0, 0, 1, 2, 6200000000000000001), (1795242192000, 0, 0, 1, 3, 6200000000000000002),
            (1795242193000, 0, 3, 1, 3, 6200000000000000003);
        INSERT INTO Messages (EventID, Type, Status, Body, SelfReaction) VALUES
            (1, 1, 0, 'hi', NULL), (2, 1, 0, '안녕', NULL), (3, 0, 129, '6200000000000000001', '👍');
        INSERT INTO LikeRelation VALUES (6200000000000000001, 3);\n
        """
}
