import TestSupport

/// The databases of clients for XMPP, of Messages and of Viber, and Psi's history.
extension ImportSample {
    private static func database(
        _ format: String, _ sql: String, then more: String, in room: String = "room@example.net", first: String,
        second: String = "12.000000", last: String = "19.000000"
    ) -> ImportSample {
        ImportSample(
            format: format, path: "\(format).sqlite", room: room, files: [("\(format).sqlite", sql, sql + more)],
            read: "2 messages",
            messages: ["21T06:23:\(first)Z message alice: hi", "21T06:23:\(second)Z message 민수: 안녕"],
            last: "21T06:23:\(last)Z message alice: bye")
    }

    static let oldGajim = database(
        "gajim", ClientDatabase.oldGajim,
        then: """
            INSERT INTO logs (account_id, jid_id, contact_name, time, kind, message, message_id)
            VALUES (1, 2, 'alice', 1795242199, 2, 'bye', 'a3');
            """, first: "11.123000")

    static let gajim = database(
        "gajim", ClientDatabase.gajim,
        then: """
            INSERT INTO message
                (fk_account_pk, fk_remote_pk, resource, type, direction, timestamp, state, id, stable_id, text)
            VALUES (1, 1, 'alice', 2, 1, 1795242199, 2, 'a3', 1, 'bye');
            """, first: "11.123000")

    static let dino = database(
        "dino", ClientDatabase.dino,
        then: """
            INSERT INTO message
                (stanza_id, account_id, counterpart_id, our_resource, counterpart_resource, direction, type, time, body)
            VALUES ('a3', 1, 2, 'me', 'alice', 0, 2, 1795242199, 'bye');
            """, first: "11.000000")

    static let profanity = database(
        "profanity-db", ClientDatabase.profanity,
        then: """
            INSERT INTO ChatLogs
                (from_jid, to_jid, from_resource, to_resource, message, timestamp, type, stanza_id, replace_id)
            VALUES ('room@example.net', 'me@example.net', 'alice', 'x', 'bye', '2026-11-21T06:23:19+00', 'muc', 'a3', '');
            """, first: "11.123456", second: "12.123456")

    static let iMessage = database(
        "imessage", ClientDatabase.iMessage,
        then: """
            INSERT INTO message (guid, text, handle_id, date) VALUES ('A-3', 'bye', 1, 816934999000000000);
            INSERT INTO chat_message_join VALUES (1, 3, 0);
            """, in: "alice, 민수", first: "11.123000")

    static let viber = database(
        "viber", ClientDatabase.viber,
        then: """
            INSERT INTO Events (TimeStamp, Direction, Type, ChatID, ContactID, Token)
            VALUES (1795242199000, 0, 0, 1, 2, 6200000000000000004);
            INSERT INTO Messages (EventID, Type, Status, Body) VALUES (4, 1, 0, 'bye');
            """, in: "example", first: "11.123000")

    private static let history = "|2026-11-21T06:23:11|1|from|N---|hi\n|2026-11-21T06:23:12|1|to|N---|안녕\n"

    static let psi = ImportSample(
        format: "psi", path: "history/alice_at_example.net.history", room: "alice@example.net",
        files: [("history/alice_at_example.net.history", history, history + "|2026-11-21T06:23:19|1|from|N---|bye\n")],
        read: "2 lines",
        messages: ["21T06:23:11.000000Z message alice@example.net: hi", "21T06:23:12.000000Z message you: 안녕"],
        last: "21T06:23:19.000000Z message alice@example.net: bye")
}
