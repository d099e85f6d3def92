import Bytes
import ChatModel

/// The logs of telepathy-logger: an XML file for each conversation and day, whose times are in UTC (`log-store-xml.c` of
/// 0.8). It logs no joins, leaves and topics.
///
/// `TpLogger/logs/idle_irc_alice0/chatrooms/#example/20261121.log`
package struct TelepathyFormat: LogFormat {
    package static let name = "telepathy"
    package static let programs = "Empathy, Polari, KDE Telepathy"
    /// 1 MiB: a message has at most some kilobytes.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false

    private let room: IRCLog.Room

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        source.beginning.prefix(1024)[...].range(of: "href=\"log-store-xml.xsl\"") != nil
            && HTMLTag(rootOf: source.beginning).map { $0.isNamed("log") } ?? false
    }

    package static func cutter() -> any SourceCutter {
        ElementCutter(["message", "call"], in: ["log"], maximumPiece: maximumLine)
    }

    /// - Throws: ``LogSourceError/noRoom`` for a file without a folder, unless a room is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let folder = source.room ?? ExportText.name(source.folders.last) else { throw .noRoom }
        let isChat = source.room != nil || source.folders.dropLast().last == rooms || RoomName.isChannel(folder)
        let name = source.room ?? source.rooms.room(inFileName: folder) ?? folder
        room = IRCLog.Room(name: name.withoutNUL, isDirect: !isChat)
    }

    /// telepathy-logger 0.8.
    package static func namesInFiles(of room: String) -> [String] { [room.replacingEach(of: "/", with: "_")] }

    /// Returns `alice@example.net` for the folder `gabble_jabber_alice_40example_2enet0`: the program, the protocol, and the
    /// account's name with its number.
    package static func accountName(in source: LogSource) -> String? {
        let folder = source.folders.dropLast().last { $0.split(separator: "_").count > 2 && !RoomName.isChannel($0) }
        guard let parts = folder?.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false),
            parts.count == 3,
            parts[0].allSatisfy({ $0.isASCII && $0.isLetter })
        else { return nil }
        let name = PercentCode.decode(String(parts[2]).replacing("_", with: "%"))
        return ExportText.name(name.last?.isNumber ?? false ? String(name.dropLast()) : name)
    }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            // A file that is being written has no last tag, which loses nothing.
            guard line.place != ElementCutter.brokenPlace || !line.bytes.isEmpty else { return .nothing }
            try line.requireWholeElement(limit: Self.maximumLine)
            return .message(try message(line))
        } catch {
            return .unreadable(error.reason)
        }
    }

    private func message(_ line: LogLine) throws(UnreadablePiece) -> ImportedMessage {
        var scanner = HTMLScanner(line.bytes)
        guard case .opening(let tag)? = scanner.next() else { throw UnreadablePiece("it is not an element") }
        guard let time = Self.time(tag.attribute("time")) else { throw UnreadablePiece("its \"time\" is not a time") }
        let sender = ExportText.name(tag.attribute("name"), tag.attribute("id"))
        var message = ImportedMessage(
            room: room.name, roomKind: room.kind, kind: .message, sender: sender, body: nil, time: time,
            resolution: .second)
        let text: ExportText
        if line.place == "call" {
            (message.kind, message.sender) = (.system, nil)
            let end = tag.attribute("duration").flatMap(Int.init).map { "\($0) s" } ?? tag.attribute("reason")
            text = ExportText(lines: [["call", sender, end].compactMap(\.self).joined(separator: ", ")])
        } else {
            switch tag.attribute("type") {
            case "action": message.kind = .action
            case "notice": message.kind = .notice
            case "delivery-report": (message.kind, message.sender) = (.system, nil)
            default: break
            }
            text = ExportText(lines: [MarkupText(line.bytes).string])
            message.remoteID = ExportText.name(tag.attribute("supersedes-token"), tag.attribute("message-token"))
            if tag.attribute("supersedes-token") != nil {
                message.editedAt = Self.time(tag.attribute("edit-timestamp")) ?? time
            }
        }
        (message.body, message.flags) = (text.string ?? "", text.flags.union(LogText(line.bytes).flags))
        return message
    }

    /// Reads `20261121T06:23:11`.
    private static func time(_ text: String?) -> Timestamp? {
        guard let text, text.utf8.count == 17 else { return nil }
        let (year, rest) = (text.prefix(4), text.dropFirst(4))
        return WrittenTime("\(year)-\(rest.prefix(2))-\(rest.dropFirst(2))")?.instants(in: .gmt).first
    }
}

/// The folder of rooms, in a folder of an account.
private let rooms = "chatrooms"
