/// The schemas of other programs' databases, without what an import does not read, and some rows.
package enum ClientDatabase {
    /// The Lounge with schema 1703322560448 (`server/plugins/messageStorage/sqlite.ts`).
    package static let theLounge = """
        CREATE TABLE options (name TEXT, value TEXT, CONSTRAINT name_unique UNIQUE (name));
        CREATE TABLE messages (
            id INTEGER PRIMARY KEY AUTOINCREMENT, network TEXT, channel TEXT, time INTEGER, type TEXT, msg TEXT);
        CREATE INDEX network_channel ON messages (network, channel);
        CREATE INDEX time ON messages (time);
        INSERT INTO options VALUES ('schema_version', '1703322560448');\n
        """

    /// The Lounge with schema 1520239200: without a column for the number.
    package static let oldLounge = """
        CREATE TABLE options (name TEXT, value TEXT, CONSTRAINT name_unique UNIQUE (name));
        CREATE TABLE messages (network TEXT, channel TEXT, time INTEGER, type TEXT, msg TEXT);
        CREATE INDEX network_channel ON messages (network, channel);\n
        """

    /// Quassel's core with schema 31 (`src/core/SQL/SQLite/setup_*.sql`).
    package static let quassel = """
        CREATE TABLE coreinfo (key TEXT NOT NULL PRIMARY KEY, value TEXT);
        CREATE TABLE quasseluser (
            userid INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, username TEXT UNIQUE NOT NULL, password TEXT NOT NULL,
            hashversion INTEGER NOT NULL DEFAULT 0, authenticator TEXT NOT NULL DEFAULT "Database");
        CREATE TABLE sender (
            senderid INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, sender TEXT NOT NULL, realname TEXT, avatarurl TEXT);
        CREATE TABLE network (
            networkid INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, userid INTEGER NOT NULL, networkname TEXT NOT NULL,
            identityid INTEGER NOT NULL DEFAULT 1, UNIQUE (userid, networkname));
        CREATE TABLE buffer (
            bufferid INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, userid INTEGER NOT NULL, groupid INTEGER,
            networkid INTEGER NOT NULL, buffername TEXT NOT NULL, buffercname TEXT NOT NULL,
            buffertype INTEGER NOT NULL DEFAULT 0, lastmsgid INTEGER NOT NULL DEFAULT 0, key TEXT,
            joined INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE backlog (
            messageid INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, bufferid INTEGER NOT NULL,
            type INTEGER NOT NULL, flags INTEGER NOT NULL, senderid INTEGER NOT NULL, senderprefixes TEXT, message TEXT);
        CREATE INDEX backlog_buffer_msgid_idx ON backlog (bufferid, messageid DESC);
        INSERT INTO quasseluser VALUES (1, 'me', 'x', 1, 'Database');\n
        """

    /// soju (`database/sqlite.go`).
    package static let soju = """
        CREATE TABLE User (
            id INTEGER PRIMARY KEY, username TEXT NOT NULL UNIQUE, password TEXT, admin INTEGER NOT NULL DEFAULT 0,
            created_at TEXT NOT NULL DEFAULT '');
        CREATE TABLE Network (
            id INTEGER PRIMARY KEY, name TEXT, user INTEGER NOT NULL, addr TEXT NOT NULL, nick TEXT,
            FOREIGN KEY(user) REFERENCES User(id), UNIQUE(user, name));
        CREATE TABLE Channel (id INTEGER PRIMARY KEY, network INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE(network, name));
        CREATE TABLE DeliveryReceipt (
            id INTEGER PRIMARY KEY, network INTEGER NOT NULL, target TEXT NOT NULL, client TEXT, internal_msgid TEXT NOT NULL);\n
        """

    /// The tables of soju that have messages.
    package static let sojuMessages = """
        CREATE TABLE Message (
            id INTEGER PRIMARY KEY, target INTEGER NOT NULL, raw TEXT NOT NULL, time TEXT NOT NULL, sender TEXT NOT NULL,
            text TEXT, FOREIGN KEY(target) REFERENCES MessageTarget(id));
        CREATE INDEX MessageIndex ON Message(target, time);
        CREATE TABLE MessageTarget (
            id INTEGER PRIMARY KEY, network INTEGER NOT NULL, target TEXT NOT NULL, UNIQUE(network, target));
        CREATE VIRTUAL TABLE MessageFTS USING fts5 (text, content=Message, content_rowid=id);
        INSERT INTO User(id, username) VALUES (1, 'me');\n
        """

    /// slackdump (`internal/chunk/backend/dbase/repository/migrations`).
    package static let slackdump = """
        CREATE TABLE CHUNK (ID INTEGER PRIMARY KEY, UNIX_TS INTEGER NOT NULL, SESSION_ID INTEGER NOT NULL, TYPE_ID SMALLINT);
        CREATE TABLE MESSAGE (
            ID INTEGER NOT NULL, CHUNK_ID INTEGER NOT NULL, LOAD_DTTM TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
            CHANNEL_ID TEXT NOT NULL, TS TEXT NOT NULL, PARENT_ID INTEGER, THREAD_TS TEXT,
            IS_PARENT SMALLINT NOT NULL DEFAULT FALSE, IDX INTEGER NOT NULL, NUM_FILES INTEGER NOT NULL DEFAULT 0, TXT TEXT,
            DATA BLOB NOT NULL, PRIMARY KEY (ID, CHUNK_ID));
        CREATE TABLE CHANNEL (
            ID TEXT NOT NULL, CHUNK_ID INTEGER NOT NULL, NAME TEXT, IDX INTEGER NOT NULL, DATA BLOB NOT NULL,
            PRIMARY KEY (ID, CHUNK_ID));
        CREATE TABLE WORKSPACE (ID INTEGER PRIMARY KEY, CHUNK_ID INTEGER NOT NULL, TEAM TEXT NOT NULL, DATA BLOB NOT NULL);
        CREATE TABLE S_USER (
            ID TEXT NOT NULL, CHUNK_ID INTEGER NOT NULL, IDX INTEGER NOT NULL, USERNAME TEXT NOT NULL,
            DISPLAY_NAME TEXT NOT NULL, DATA BLOB NOT NULL, PRIMARY KEY (ID, CHUNK_ID));
        INSERT INTO WORKSPACE VALUES (1, 1, 'Example Team', '{}');\n
        """

    /// Returns SQL for rows of The Lounge: the sender, the text and the time in milliseconds of each.
    package static func lounge(
        _ time: Int, _ nick: String, _ text: String, in channel: String = "#example", network: String = "8f65"
    ) -> String {
        let message = #"{"from":{"mode":"","nick":"\#(nick)"},"text":"\#(text)","self":false}"#
        return """
            INSERT INTO messages (network, channel, time, type, msg)
            VALUES ('\(network)', '\(channel)', \(time), 'message', '\(message)');\n
            """
    }

    /// Returns SQL for a network of Quassel with a channel of the same number.
    package static func quasselNetwork(_ number: Int, _ name: String, user: Int = 1, channel: String = "#example")
        -> String
    {
        """
        INSERT INTO network (networkid, userid, networkname) VALUES (\(number), \(user), '\(name)');
        INSERT INTO buffer (bufferid, userid, networkid, buffername, buffercname, buffertype)
        VALUES (\(number), \(user), \(number), '\(channel)', '\(channel)', 2);\n
        """
    }

    package static func quassel(_ time: Int, _ nick: String, _ text: String, type: Int = 1, buffer: Int = 1) -> String {
        """
        INSERT INTO sender (sender) SELECT '\(nick)!~x@host' WHERE NOT EXISTS (
            SELECT 1 FROM sender WHERE sender = '\(nick)!~x@host');
        INSERT INTO backlog (time, bufferid, type, flags, senderid, senderprefixes, message)
        SELECT \(time), \(buffer), \(type), 0, senderid, '', '\(text)' FROM sender WHERE sender = '\(nick)!~x@host';\n
        """
    }

    /// Returns SQL for a network of soju with a channel of the same number.
    package static func sojuNetwork(_ number: Int, _ name: String?, address: String = "ircs://irc.example.net")
        -> String
    {
        """
        INSERT INTO Network (id, name, user, addr) VALUES (\(number), \(name.map { "'\($0)'" } ?? "NULL"), 1, '\(address)');
        INSERT INTO MessageTarget VALUES (\(number), \(number), '#example');\n
        """
    }

    package static func soju(_ time: String, _ nick: String, _ text: String, target: Int = 1) -> String {
        """
        INSERT INTO Message (target, raw, time, sender, text)
        VALUES (\(target), '@time=\(time) :\(nick)!~x@host PRIVMSG #example :\(text)', '\(time)', '\(nick)', '\(text)');\n
        """
    }

    package static let slackdumpPeople = """
        INSERT INTO S_USER VALUES ('U1', 1, 0, 'alice', 'alice', '{"id":"U1","name":"alice"}');
        INSERT INTO S_USER VALUES ('U2', 1, 1, 'minsu', '민수', '{"id":"U2","profile":{"display_name":"민수"}}');
        INSERT INTO CHANNEL VALUES ('C1', 1, 'example', 0, '{"id":"C1","name":"example"}');\n
        """

    package static func slackdump(_ ts: String, _ user: String, _ text: String, chunk: Int = 1) -> String {
        let message = #"{"type":"message","user":"\#(user)","ts":"\#(ts)","text":"\#(text)","blocks":null}"#
        return """
            INSERT INTO MESSAGE (ID, CHUNK_ID, CHANNEL_ID, TS, IDX, TXT, DATA)
            VALUES (\(ts.filter(\.isNumber)), \(chunk), 'C1', '\(ts)', 0, '\(text)', '\(message)');\n
            """
    }
}
