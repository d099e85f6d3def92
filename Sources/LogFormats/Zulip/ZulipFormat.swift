import Bytes
import ChatModel

/// The export of a Zulip organisation: `realm.json` with the people, channels and reactions, and the messages in
/// `messages-000001.json` and so on. The tables have the names of Zulip's database.
package struct ZulipFormat: LogFormat {
    package static let name = "zulip"
    package static let programs = "Zulip (export of an organisation)"
    /// 4 MiB: a message has at most 10,000 characters, the same as HTML, and its earlier texts.
    package static let maximumLine = 4 * 1024 * 1024
    package static let hasLocalTimes = false

    private let givenRoom: String?
    private var directory = ZulipDirectory()
    /// The file that is being read, in an export; nil for a single file.
    private var file: String?
    private var isSecond = false

    // MARK: - Recognition

    private static let messages = "zerver_message[]"

    package static func recognises(_ source: LogSource) -> Bool {
        let first = JSONPieceCutter.pieces(of: source.beginning, at: [messages]).first
        guard let first, let json = try? JSONValue(object: first, limit: maximumLine) else { return false }
        return json["recipient"] != nil && json["content"] != nil
    }

    package static func cutter() -> any SourceCutter {
        JSONPieceCutter(places: ZulipDirectory.tables + [messages], maximumPiece: maximumLine)
    }

    /// Returns `realm.json` twice, and after it the files of messages; nil for a folder without them.
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
        var (realm, files): ([Int], [Int]) = ([], [])
        for (index, path) in paths.enumerated() {
            guard !path.utf8.contains(Byte.slash) else { break }
            if path == "realm.json" { realm = [index, index] }
            if isMessages(path) { files.append(index) }
        }
        return realm.isEmpty || files.isEmpty ? nil : realm + files
    }

    private static func isMessages(_ name: String) -> Bool {
        guard name.hasPrefix("messages-"), name.hasSuffix(".json") else { return false }
        return name.dropFirst("messages-".count).dropLast(".json".count).utf8.allSatisfy(Byte.isDigit)
    }

    /// Returns true for the lists of uploaded files, and for the state of the export.
    package static func saysNothing(_ path: some StringProtocol) -> Bool {
        ["attachment.json", "migration_status.json", "analytics.json"].contains { path == $0 }
            || path.hasSuffix("/records.json")
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
    }

    package mutating func begin(file path: String) {
        isSecond = path == file
        file = path
    }

    package var hasOwnRooms: Bool { file != nil }
    package var assumptions: [String] { directory.assumptions }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        let isFact = file == "realm.json"
        // Each fault of the people's file is reported once.
        guard !isFact || isSecond || line.place != JSONPieceCutter.brokenPlace else { return .nothing }
        do throws(UnreadablePiece) {
            let json = try JSONValue(object: line, limit: Self.maximumLine)
            guard line.place == Self.messages else {
                try directory.note(json, of: line.place, isSecond: isSecond)
                return .nothing
            }
            return .message(try message(json))
        } catch {
            return .unreadable(error.reason)
        }
    }

    private func message(_ json: JSONValue) throws(UnreadablePiece) -> ImportedMessage {
        let id = try json.required("id").scalar().text
        let sender = try json.required("sender").scalar().text
        let room = directory.room(try json.required("recipient").scalar().text, sender: sender)
        let person = directory.person(sender)
        // Until 2018, the key was pub_date.
        let key: StaticString = json["date_sent"] == nil && json["pub_date"] != nil ? "pub_date" : "date_sent"
        guard let time = Timestamp(secondsText: try json.required(key).scalar().text) else {
            throw UnreadablePiece("its \"\(key)\" is not a time")
        }
        let content = try json.text("content") ?? ""
        let action = content.hasPrefix("/me ") ? String(content.dropFirst(4)) : nil
        let topic = room.kind == .channel ? try json.text("subject").flatMap(Self.topic) : nil
        let text = ExportText(lines: [topic, action ?? content])
        let edited = try json.scalar("last_edit_time").flatMap { Timestamp(secondsText: $0.text) }
        var flags = json.flags.union(text.flags)
        if person.isBot { flags.insert(.bot) }
        let isOne = file == nil && givenRoom != nil
        var imported = ImportedMessage(
            room: isOne ? givenRoom ?? room.name : room.name, roomKey: isOne ? nil : room.key, roomKind: room.kind,
            kind: action == nil ? .message : .action, sender: person.name, senderKey: sender, body: text.string,
            time: time, resolution: .microsecond, remoteID: id, flags: flags, editedAt: edited,
            versions: try versions(of: json, since: time, content, hasTopic: room.kind == .channel),
            files: Self.files(in: content),
            reactions: directory.reactions(to: id))
        if let description = room.description { imported.facts = ImportedFacts(description: description) }
        return imported
    }

    /// Returns the line with a message's topic; nil for none.
    private static func topic(_ subject: String) -> String? {
        // Since 2025, Zulip writes U+0007 for the topic of conversations.
        subject.isEmpty || subject == "\u{7}" ? nil : "[topic: \(subject)]"
    }

    /// Returns the earlier texts and topics, which `edit_history` has as JSON in a text, the newest first. Each edit has
    /// what was there before it, as far as it changed; until 2022, the key of a topic was `prev_subject`.
    private func versions(
        of json: JSONValue, since sent: Timestamp, _ content: String, hasTopic: Bool
    ) throws(UnreadablePiece) -> [ImportedMessage.Version] {
        guard let history = try json.text("edit_history"), !history.isEmpty else { return [] }
        let piece = LogLine(number: 1, bytes: Array(history.utf8)[...])
        var (text, topic) = (content, try json.text("subject"))
        var former: [(body: String?, end: Timestamp)] = []
        for edit in try JSONValue(piece, limit: Self.maximumLine).elements() {
            let (oldText, subject) = (try edit.text("prev_content"), try edit.text("prev_subject"))
            let oldTopic = hasTopic ? try edit.text("prev_topic") ?? subject : nil
            guard oldText != nil || oldTopic != nil, former.count < Self.maximumVersions else { continue }
            (text, topic) = (oldText ?? text, oldTopic ?? topic)
            let end = try edit.scalar("timestamp").flatMap { Timestamp(secondsText: $0.text) }
            let line = hasTopic ? topic.flatMap(Self.topic) : nil
            former.append((ExportText(lines: [line, text]).string, end ?? sent))
        }
        var start = sent
        return former.reversed().map { body, end in
            defer { start = end }
            return ImportedMessage.Version(at: start, body: body)
        }
    }

    /// More than people edit a message.
    private static let maximumVersions = 1000

    /// Returns the uploaded files that a text links to: `[a.png](/user_uploads/2/ab/a.png)`.
    private static func files(in content: String) -> [ImportedMessage.File] {
        let bytes = Array(content.utf8)[...]
        var (files, rest) = ([ImportedMessage.File](), bytes)
        while let range = rest.range(of: "(/user_uploads/"), files.count < maximumFiles {
            let path = rest[range.upperBound...].prefix { $0 != UInt8(ascii: ")") && $0 > Byte.space }
            rest = rest[path.endIndex...]
            guard !path.isEmpty else { continue }
            files.append(ImportedMessage.File(path: "uploads/" + String(decoding: path, as: UTF8.self)))
        }
        return files
    }

    /// More than Zulip's 10,000 characters can hold.
    private static let maximumFiles = 500
}
