import ChatModel
import IRCWire

@testable import IRC
@testable import Sessions

/// A session beside a server with CHATHISTORY that a test scripts, answer by answer.
struct IRCHistoryServerText {
    var text: IRCSessionText
    private(set) var requests: [String] = []
    /// Of each conversation that the server lists: when its last message was said, in milliseconds since the beginning.
    var listed: [(name: String, at: Int64)] = []
    /// Gives the lines of a page, in which `{}` is its batch.
    var page: (_ request: [String]) -> [String] = { _ in [] }
    private var answered = 0
    private var batches = 0

    static func time(_ milliseconds: Int64) -> String {
        ServerTime.text(milliseconds: IRCSessionText.epoch.milliseconds + milliseconds).utf8Text
    }

    /// - Parameter tokens: Of ISUPPORT, beside those of every server.
    init(
        rooms: [String] = ["#example"], partners: [String] = [], tokens: String = "", nick: String = "archiver",
        change: (inout IRCConfiguration) -> Void = { _ in }
    ) {
        let time = Self.time(0)
        let capabilities = "server-time batch message-tags draft/chathistory draft/event-playback"
        let welcome = """
            @time=\(time) :irc.example CAP * LS :\(capabilities)
            @time=\(time) :irc.example CAP * ACK :\(capabilities)
            @time=\(time) \(nick == "archiver" ? ":irc.example NOTICE * :hello" : ":irc.example 433 * archiver :in use")
            @time=\(time) :irc.example 001 \(nick) :Welcome
            @time=\(time) :irc.example 005 \(nick) CASEMAPPING=ascii CHANTYPES=# CHATHISTORY=1000 \
            MSGREFTYPES=msgid,timestamp \(tokens) :are supported
            @time=\(time) :irc.example 376 \(nick) :End of MOTD

            """
        let users = partners.map { ($0, UserReference(key: $0, name: $0)) }
        text = IRCSessionText(
            rooms: rooms, partners: Dictionary(uniqueKeysWithValues: users), welcome: welcome, isPaced: true,
            change: change)
    }

    /// The archive says what it has of a room: the last message, and up to when it is complete.
    func known(_ name: String, last: Int64, until: Int64, id: String? = "last") -> IRCLookup.KnownRoom {
        func at(_ time: Int64) -> Timestamp { IRCSessionText.epoch.advanced(byMicroseconds: time * 1000) }
        let kind: RoomReference.Kind = name.hasPrefix("#") ? .channel : .direct
        let point = StoredPoint(
            id: MessageID(microseconds: at(last).microseconds), kind: .message, remoteID: id, sourceTime: at(last),
            sender: "alice", body: "last")
        return IRCLookup.KnownRoom(
            room: RoomReference(key: name, name: name, kind: kind),
            start: HistoryStart(
                completeUntil: at(until), anchors: [point], latest: point, archivedSince: at(last - 1000),
                fetchedBackTo: .earliestPlausible))
    }

    mutating func learns(_ answer: IRCLookup.Answer) {
        text.receiveAnswer(answer)
    }

    /// Whatever is asked is answered, as long as anything is.
    mutating func answersAll() {
        while let line = text.nextLine() { answer(line) }
    }

    /// Gives the answer to a line that was sent.
    mutating func answer(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard words.first == "CHATHISTORY" else { return }
        requests.append(words.dropFirst().joined(separator: " "))
        batches += 1
        let isList = words[1] == "TARGETS"
        let type = isList ? "draft/chathistory-targets" : "chathistory \(words[2])"
        let lines =
            isList ? list(words) : page(Array(words.dropFirst())).map { $0.replacing("{}", with: "b\(batches)") }
        text.receive(
            bytes: Array(
                (["BATCH +b\(batches) \(type)"] + lines + ["BATCH -b\(batches)"]).map { $0 + "\r\n" }.joined().utf8))
    }

    private func list(_ words: [String]) -> [String] {
        let bounds = words[2...3].map { ServerTime.milliseconds(Array($0.dropFirst("timestamp=".count).utf8)) ?? 0 }
        let epoch = IRCSessionText.epoch.milliseconds
        return listed.sorted { $0.at < $1.at }.filter { epoch + $0.at > bounds[0] && epoch + $0.at < bounds[1] }
            .prefix(words.last.flatMap { Int($0) } ?? 0)
            .map { "@batch=b\(batches) CHATHISTORY TARGETS \($0.name) \(Self.time($0.at))" }
    }

    static func line(_ room: String, _ id: String, at time: Int64, text: String = "…") -> String {
        "@batch={};msgid=\(id);time=\(Self.time(time)) :alice!u@h PRIVMSG \(room) :\(text)"
    }

    /// Those for the history of a room.
    var pages: [String] { requests.filter { !$0.hasPrefix("TARGETS") } }

    /// `#example 5...60000`, in milliseconds since the beginning.
    var fetched: [String] {
        text.events.compactMap { event in
            guard case .covered(_, let room, let from, let to) = event else { return nil }
            return "\(room.name) \(offset(from))...\(offset(to))"
        }
    }

    /// `#example 5...60000`, or `#example …...60000` if the time begins at the latest message before its end.
    var withdrawn: [String] {
        text.events.compactMap { event in
            guard case .withdrawn(let time) = event else { return nil }
            return "\(time.room.name) \(time.from.map { "\(offset($0))" } ?? "…")...\(offset(time.to))"
        }
    }

    /// `#example limit: no such message`.
    var unfilled: [String] {
        text.events.compactMap { event in
            guard case .unfilled(let history, _) = event, history.reason != .pending else { return nil }
            return "\(history.room.name) \(history.reason.rawValue): \(history.detail ?? "-")"
        }
    }

    private func offset(_ time: Timestamp) -> Int64 {
        (time.microseconds - IRCSessionText.epoch.microseconds) / 1000
    }
}

extension [UInt8] {
    fileprivate var utf8Text: String { String(decoding: self, as: UTF8.self) }
}
