import TestSupport

/// The logs and databases of other IRC clients, slackdump's, and tables.
extension ImportSample {
    private static func sample(
        _ format: String, _ name: String, _ text: String, then more: String, in room: String = "#example", read: String,
        _ messages: [String], last: String, words: [String]? = nil
    ) -> ImportSample {
        ImportSample(
            format: format, path: name, room: room, files: [(name, text, text + more)], read: read, messages: messages,
            last: last, words: words)
    }

    private static let toTheMillisecond = [
        "21T06:23:11.123000Z message alice: hi", "21T06:23:12.000000Z message 민수: 안녕",
    ]

    static let mirc = sample(
        "mirc", "logs/libera/#example.log",
        """
        Session Start: Sat Nov 21 06:23:11 2026
        Session Ident: #example
        [06:23] * 민수 (~ms@host) has joined #example
        [06:23] <@alice> hi
        Session Time: Sun Nov 22 00:00:00 2026
        [00:01] * 민수 waves

        """, then: "[00:02] <alice> bye\n", read: "6 lines",
        [
            "21T06:23:00.000000Z join 민수", "21T06:23:00.000001Z message alice: hi",
            "22T00:01:00.000000Z action 민수: waves",
        ], last: "22T00:02:00.000000Z message alice: bye")

    static let hexchat = sample(
        "hexchat", "logs/libera/#example.log",
        """
        **** BEGIN LOGGING AT Sat Nov 21 06:23:11 2026

        Nov 21 06:23:11 *\t민수 (~ms@host) has joined
        Nov 21 06:23:12 <@alice>\thi
        Nov 21 06:23:12 *\t민수 waves

        """, then: "Nov 21 06:25:00 <alice>\tbye\n", read: "5 lines",
        [
            "21T06:23:11.000000Z join 민수", "21T06:23:12.000000Z message alice: hi",
            "21T06:23:12.000001Z action 민수: waves",
        ], last: "21T06:25:00.000000Z message alice: bye")

    static let csv = sample(
        "csv", "chat.csv", "Date;User;Message\n21.11.2026 06:23:11;alice;\"hi\nthere\"\n21.11.2026 06:23:12;민수;안녕\n",
        then: "21.11.2026 06:23:19;alice;bye\n", read: "2 messages",
        ["21T06:23:11.000000Z message alice: hi\nthere", "21T06:23:12.000000Z message 민수: 안녕"],
        last: "21T06:23:19.000000Z message alice: bye",
        words: ["csv", "chat.csv", "--columns", "time=Date,sender=User,text=Message", "--room", "#example"])

    static let namedJSON = sample(
        "jsonl", "chat.jsonl",
        """
        {"ts": 1795242191123, "user": {"name": "alice"}, "text": "hi", "room": "#example"}
        {"ts": 1795242192000, "user": {"name": "민수"}, "text": "안녕", "room": "#example"}

        """, then: ##"{"ts": 1795242199000, "user": {"name": "alice"}, "text": "bye", "room": "#example"}"##,
        read: "2 lines",
        toTheMillisecond, last: "21T06:23:19.000000Z message alice: bye",
        words: ["jsonl", "chat.jsonl", "--columns", "time=ts,sender=user.name,text=text,room=room"])

    static let theLounge = sample(
        "thelounge", "logs/me.sqlite3",
        ClientDatabase.theLounge + ClientDatabase.lounge(1_795_242_191_123, "alice", "hi")
            + ClientDatabase.lounge(1_795_242_192_000, "민수", "안녕"),
        then: ClientDatabase.lounge(1_795_242_199_000, "alice", "bye"), read: "2 messages", toTheMillisecond,
        last: "21T06:23:19.000000Z message alice: bye")

    static let quassel = sample(
        "quassel", "quassel-storage.sqlite",
        ClientDatabase.quassel + ClientDatabase.quasselNetwork(1, "libera") + ClientDatabase.quasselNetwork(2, "oftc")
            + ClientDatabase.quassel(1_795_242_191_123, "alice", "hi")
            + ClientDatabase.quassel(1_795_242_191_500, "carol", "elsewhere", buffer: 2)
            + ClientDatabase.quassel(1_795_242_192_000, "민수", "안녕"),
        then: ClientDatabase.quassel(1_795_242_199_000, "alice", "bye"), read: "2 messages", toTheMillisecond,
        last: "21T06:23:19.000000Z message alice: bye", words: ["quassel-storage.sqlite", "--network", "libera"])

    static let soju = sample(
        "soju", "soju.sqlite",
        ClientDatabase.soju + ClientDatabase.sojuMessages + ClientDatabase.sojuNetwork(1, "libera")
            + ClientDatabase.soju("2026-11-21T06:23:11.123Z", "alice", "hi")
            + ClientDatabase.soju("2026-11-21T06:23:12.000Z", "민수", "안녕"),
        then: ClientDatabase.soju("2026-11-21T06:23:19.000Z", "alice", "bye"), read: "2 messages", toTheMillisecond,
        last: "21T06:23:19.000000Z message alice: bye")

    static let slackdump = sample(
        "slackdump", "archive/slackdump.sqlite",
        ClientDatabase.slackdump + ClientDatabase.slackdumpPeople
            + ClientDatabase.slackdump("1795242191.123000", "U1", "hi")
            + ClientDatabase.slackdump("1795242192.000000", "U2", "안녕"),
        then: ClientDatabase.slackdump("1795242199.000000", "U1", "bye", chunk: 2), in: "example", read: "2 messages",
        toTheMillisecond, last: "21T06:23:19.000000Z message alice: bye")
}
