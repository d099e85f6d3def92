import Bytes
import ChatModel

/// The data package that Discord sends to a person who asks for their data: a folder for each channel, with
/// `channel.json`, and their own messages in `messages.json`, or `messages.csv` before 2023.
///
/// The ids are those of DiscordChatExporter, so a message of both is stored once.
package struct DiscordPackageFormat: LogFormat {
    package static let name = "discord-package"
    package static let programs = "Discord (data package)"
    /// 4 MiB: `index.json` has a line of some 60 bytes for each channel.
    package static let maximumLine = 4 * 1024 * 1024
    package static let hasLocalTimes = false
    package static let ownerWords = [OwnWord.sender]

    private struct Channel {
        var id: String
        var name: String?
        var kind: RoomReference.Kind = .channel
    }

    private let givenRoom: String?
    private var channel: Channel?
    /// The name of the file that is being read.
    private var file: String
    private var user: (id: String, name: String)?
    /// The names of channels by their ids.
    private var names: [String: String] = [:]
    private var budget = NameBudget()
    private var isSeveral = false

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        if source.beginning.starts(with: header) { return true }
        let first = JSONPieceCutter.pieces(of: source.beginning, at: ["[]"]).first
        guard let first, let json = try? JSONValue(object: first, limit: maximumLine) else { return false }
        return keys.allSatisfy { json.has($0) }
    }

    private static let keys: [StaticString] = ["ID", "Timestamp", "Contents", "Attachments"]
    /// The files without messages that are read.
    private static let factFiles = ["user.json", "index.json", "channel.json"]
    private static let header = Array("ID,Timestamp,Contents,Attachments".utf8)

    package static func cutter() -> any SourceCutter { DocumentCutter(maximumPiece: maximumLine) }

    /// Returns the files about the person and the channels' names, and after them each channel's files; nil unless
    /// folders of channels are in a folder, or in one of its folders. These have other names in each language.
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
        var channels: [Int] = []
        var messages: [String: Int] = [:]
        var facts: [Int] = []
        var hasMessagesFolder = false
        for (index, path) in paths.enumerated() {
            let parts = path.split(separator: "/")
            guard (1...3).contains(parts.count), let name = parts.last else { continue }
            let folder = path.dropLast(name.count)
            if parts.count > 1, channelID(parts[parts.count - 2]) != nil {
                hasMessagesFolder = hasMessagesFolder || parts.count > 2
                if name == "channel.json" { channels.append(index) }
                if name == "messages.json" || name == "messages.csv" { messages[String(folder)] = index }
            } else if name == "user.json" || name == "index.json" {
                facts.append(index)
            }
        }
        let pairs = channels.compactMap { index -> [Int]? in
            let path = paths[paths.index(paths.startIndex, offsetBy: index)]
            return messages[String(path.dropLast("channel.json".count))].map { [index, $0] }
        }
        // The package's own folder has the file about the person; above the channels alone there may be other logs.
        let isPackage = facts.contains { paths[paths.index(paths.startIndex, offsetBy: $0)].hasSuffix("user.json") }
        guard !pairs.isEmpty, isPackage || !hasMessagesFolder else { return nil }
        return facts + pairs.flatMap(\.self)
    }

    /// Returns true for the JSON of the package's other folders, and for its description.
    package static func saysNothing(_ path: some StringProtocol) -> Bool {
        path.hasSuffix(".json") && !path.hasSuffix("messages.json") || path.hasSuffix("README.txt")
    }

    /// Returns the id in a folder's name: `123456789012345678` or `c123456789012345678`; nil for another name.
    private static func channelID(_ folder: some StringProtocol) -> String? {
        let digits = folder.utf8.first == UInt8(ascii: "c") ? String(folder.dropFirst()) : String(folder)
        // Ids of Discord have 15 digits and more since its first weeks, in 2015.
        return (15...20).contains(digits.utf8.count) && digits.utf8.allSatisfy(Byte.isDigit) ? digits : nil
    }

    // MARK: - Reading

    /// - Throws: ``LogSourceError/noRoom`` for a file outside of a channel's folder, unless a room is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
        file = source.name
        channel = source.folders.last.flatMap(Self.channelID).map { Channel(id: $0) }
        if givenRoom == nil, channel == nil, !Self.factFiles.contains(file) { throw .noRoom }
    }

    package mutating func begin(file path: String) {
        let parts = path.split(separator: "/")
        file = parts.last.map(String.init) ?? ""
        isSeveral = true
        let id = parts.dropLast().last.flatMap(Self.channelID)
        if id != channel?.id { channel = id.map { Channel(id: $0) } }
    }

    package var hasOwnRooms: Bool { isSeveral }
    package var assumptions: [String] { budget.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            guard line.place != DocumentCutter.wholePlace else {
                try note(JSONValue(object: line, limit: Self.maximumLine))
                return .nothing
            }
            if line.place.isEmpty { return try row(line) }
            let json = try JSONValue(object: line, limit: Self.maximumLine)
            return .message(
                try message(
                    id: json.required("ID").scalar().text, time: json.required("Timestamp").requiredText(),
                    text: json.scalarText("Contents"), files: json.scalarText("Attachments"), json.flags))
        } catch {
            return .unreadable(error.reason)
        }
    }

    /// Notes a fact about the person or the channels.
    private mutating func note(_ json: JSONValue) throws(UnreadablePiece) {
        switch file {
        case "user.json":
            guard let id = try json.scalar("id")?.id else { return }
            user = (id, ExportText.name(try json.text("global_name"), try json.text("username"), id) ?? id)
        case "index.json":
            for (id, value) in json.members {
                guard let name = value.text.flatMap({ ExportText.name($0) }), budget.reserve(id, name) else { continue }
                names[id] = name
            }
        default:
            guard let id = try json.scalar("id")?.id else { return }
            var found = Channel(id: id, name: try json.text("name"))
            switch try json.scalar("type")?.text {
            case "1", "DM": found.kind = .direct
            case "3", "GROUP_DM": found.kind = .group
            default: break
            }
            channel = found
        }
    }

    private mutating func row(_ line: LogLine) throws(UnreadablePiece) -> ParsedLine {
        guard !line.isCut else {
            throw UnreadablePiece("longer than \(Self.maximumLine) bytes; is a quote not closed?")
        }
        guard !line.bytes.isBlank, !line.bytes.starts(with: Self.header) else { return .nothing }
        guard let fields = CSVRecord(line.bytes, separator: Byte.comma)?.fields, fields.count == 4 else {
            throw UnreadablePiece("it has not 4 fields")
        }
        let texts = fields.map { LogText($0 ?? []) }
        let flags = texts.reduce(MessageFlags()) { $0.union($1.flags) }
        return .message(
            try message(
                id: texts[0].string, time: texts[1].string, text: texts[2].string, files: texts[3].string, flags))
    }

    private func message(
        id: String, time text: String, text body: String?, files: String?, _ flags: MessageFlags
    ) throws(UnreadablePiece) -> ImportedMessage {
        guard !id.isEmpty else { throw UnreadablePiece("its \"ID\" is empty") }
        guard let time = WrittenTime(text), let instant = time.instants(in: .gmt).first else {
            throw UnreadablePiece("its \"Timestamp\" is not a time")
        }
        guard let room = isSeveral ? roomName : givenRoom ?? roomName else {
            throw UnreadablePiece("the export names no channel before it")
        }
        let text = ExportText(lines: [body])
        let addresses = files?.split(separator: " ").map { DiscordFormat.path(String($0)) } ?? []
        return ImportedMessage(
            room: room, roomKey: isSeveral || givenRoom == nil ? channel?.id : nil, roomKind: channel?.kind ?? .channel,
            kind: .message, sender: user?.name ?? OwnWord.sender, senderKey: user?.id, body: text.string, time: instant,
            resolution: time.clock.microseconds == nil ? .second : .microsecond, remoteID: id.withoutNUL,
            flags: flags.union(text.flags), files: addresses.map { ImportedMessage.File(path: $0) })
    }

    /// The channel's name; for a conversation of two, which has none, the person's name in `index.json`.
    private var roomName: String? {
        guard let channel else { return nil }
        let listed = names[channel.id].map(Self.person)
        return ExportText.name(channel.name, listed, channel.id)
    }

    /// Returns `bob` for `Direct Message with bob#0`.
    private static func person(_ title: String) -> String {
        let words = "Direct Message with "
        guard title.hasPrefix(words) else { return title }
        let name = title.dropFirst(words.count)
        return String(name.hasSuffix("#0") ? name.dropLast(2) : name)
    }
}

extension JSONValue {
    /// Returns the text or number of a key; nil if it is missing, null or empty.
    fileprivate func scalarText(_ key: StaticString) throws(UnreadablePiece) -> String? {
        guard let value = self[key] else { return nil }
        if let number = value.number { return number }
        return try value.requiredText()
    }
}
