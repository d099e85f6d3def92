import Bytes
import ChatModel

/// Conversations of Meta's downloads: Messenger and Instagram (`message_1.json` and so on), and Messenger's encrypted
/// chats, one conversation a file.
///
/// The files of a conversation have the newest messages first, and the title after the messages. So the first file is
/// read twice: for the title, and for the messages.
package struct MessengerFormat: LogFormat {
    package static let name = "messenger"
    package static let programs = "Messenger, Instagram (JSON)"
    /// 1 MiB: a message has at most 20,000 characters, of which each byte may be written as six.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false

    private struct Thread {
        var title: String?
        /// The last part of the conversation's path, such as `alice_1234567890`.
        var folder: String?
        /// The first people, at most ``maximumNames``.
        var people: [String] = []
        var count = 0
        var isGroup = false
    }

    private let givenRoom: String?
    private var thread = Thread()
    private var omissions = ExportOmissions()
    /// The file that is being read, within an export; nil for a file that was given alone.
    private var file: String?
    /// True while the first file is read only for the title.
    private var isLookingAhead = false
    /// The time of the message before, and the number of messages that had it.
    private var last: (time: Int64, count: Int)?

    /// The limit of people in the name of a conversation without a title.
    private static let maximumNames = 10

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        let pieces = JSONPieceCutter.pieces(
            of: source.beginning, at: ["participants[]", "messages[]", "thread_path", "threadName"])
        guard pieces.contains(where: { $0.place == "participants[]" }) else { return false }
        if let message = pieces.first(where: { $0.place == "messages[]" }) {
            return (try? MessengerMessage(JSONValue(object: message, limit: maximumLine))) != nil
        }
        return number(of: source.name) != nil
            || pieces.contains { $0.place == "thread_path" || $0.place == "threadName" }
    }

    package static func cutter() -> any SourceCutter {
        JSONPieceCutter(
            places: ["participants[]", "messages[]", "title", "thread_path", "thread_type", "threadName"],
            maximumPiece: maximumLine)
    }

    /// Returns a conversation's files, the newest first, and the first of them twice; nil for other folders.
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
        let files = MessengerFolder.files(among: paths, ending: ending)
        return files.first.map { [$0] + files }
    }

    private static let ending = ".json"

    private static func number(of name: String) -> Int? { MessengerFolder.number(of: name, ending: ending) }

    /// Returns `instagram` for a file of Instagram's download.
    package static func accountName(in source: LogSource) -> String? {
        MessengerFolder.accountName(in: source)
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
        thread.folder = Self.number(of: source.name) == nil ? nil : source.folders.last
    }

    package mutating func begin(file path: String) {
        isLookingAhead = file == nil
        file = path
    }

    package var assumptions: [String] { omissions.assumptions(zone: "") }

    package var unknownKinds: UnknownKinds { omissions.kinds }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do {
            let isMessage = line.place == "messages[]" || line.place == JSONPieceCutter.brokenPlace
            if isMessage, isLookingAhead { return .nothing }
            if isMessage { return .message(try message(line)) }
            try note(JSONValue(line, limit: Self.maximumLine), at: line.place)
            return .nothing
        } catch {
            return isLookingAhead ? .nothing : .unreadable(error.reason)
        }
    }

    /// Notes a fact about the conversation.
    private mutating func note(_ value: JSONValue, at place: String) throws(UnreadablePiece) {
        switch place {
        case "participants[]":
            // Only the first file gives the names, because the other files of a conversation repeat them.
            guard file == nil || isLookingAhead else { return }
            // In encrypted chats, a name is a text instead of an object.
            let name = if let text = value.text { text } else { try value.required("name").requiredText() }
            thread.count += 1
            if thread.people.count < Self.maximumNames, let name = ExportText.name(MisreadText.repaired(name)) {
                thread.people.append(name)
            }
        case "title": thread.title = ExportText.name(MisreadText.repaired(try value.requiredText()))
        case "thread_path": thread.folder = try value.requiredText().split(separator: "/").last.map(String.init)
        case "thread_type": thread.isGroup = try value.requiredText().hasSuffix("Group")
        case "threadName":
            thread.title =
                ExportText.name(Self.withoutNumber(MisreadText.repaired(try value.requiredText())))
        default: throw UnreadablePiece("it is not a JSON object")
        }
    }

    /// Returns `Alice` for `Alice_12`, because the number differs in each download.
    private static func withoutNumber(_ name: String) -> String {
        let stem = name.utf8.lastIndex(of: UInt8(ascii: "_")).map { name[..<$0] }
        guard let stem, !stem.isEmpty, name.utf8.dropFirst(stem.utf8.count + 1).allSatisfy(Byte.isDigit) else {
            return name
        }
        return String(stem)
    }

    private mutating func message(_ line: LogLine) throws(UnreadablePiece) -> ImportedMessage {
        let json = try JSONValue(object: line, limit: Self.maximumLine)
        let message = try MessengerMessage(json)
        guard let room = givenRoom ?? roomName else {
            throw UnreadablePiece("the export names no conversation before it")
        }
        let time = Timestamp(milliseconds: message.time)
        let number = number(at: message.time)
        let (kind, lines) = try message.kindAndLines
        let isUnsent = try message.isUnsent
        let text = ExportText(lines: isUnsent ? [] : lines)
        let files = try files(of: message)
        if !isUnsent, kind == .message {
            for kind in try message.unknownKinds(isEmpty: text.string == nil && files.isEmpty) {
                omissions.count(kind: kind)
            }
        }
        return ImportedMessage(
            room: room, roomKey: givenRoom == nil ? roomKey : nil,
            roomKind: thread.count <= 2 && !thread.isGroup ? .direct : .group, kind: kind, sender: message.sender,
            body: text.string, time: time, resolution: message.resolution,
            // Messages of one millisecond keep their order: the newest is the first in the file.
            place: number > 1 && !message.isEncrypted ? time.advanced(byMicroseconds: Int64(1 - number)) : nil,
            remoteID: message.resolution == .second
                ? nil : number > 1 ? "\(message.time)-\(number)" : "\(message.time)",
            flags: json.flags.union(text.flags), deletedAt: isUnsent ? time : nil, files: files,
            reactions: try message.reactions)
    }

    /// Returns the message's number among those of the same time, from 1.
    private mutating func number(at time: Int64) -> Int {
        let count = last?.time == time ? (last?.count ?? 0) + 1 : 1
        last = (time, count)
        return count
    }

    private mutating func files(of message: MessengerMessage) throws(UnreadablePiece) -> [ImportedMessage.File] {
        try message.files.map { path in
            if path == nil { omissions.countFile() }
            return ImportedMessage.File(path: path?.withoutNUL ?? "file")
        }
    }

    /// The title; without one, the people's names.
    private var roomName: String? {
        // A conversation of two shows the other person first.
        let people = thread.count <= 2 && !thread.isGroup ? thread.people.prefix(1) : thread.people[...]
        return thread.title ?? ExportText.name(people.joined(separator: ", "), thread.folder)
    }

    private var roomKey: String? { thread.folder.flatMap(MessengerFolder.roomKey) }
}
