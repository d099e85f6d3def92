import Bytes
import ChatModel

/// The XML logs of Trillian: a file for each contact or channel, in which each session and message is an element of its own:
/// `<message type="incoming_privateMessage" time="1795242191" medium="ICQ" to="1000" from="2000" from_display="Bob" text="hi"/>`.
///
/// Names and texts are percent codes. No element surrounds the others, so a file may end after any of them.
package struct TrillianFormat: LogFormat {
    package static let name = "trillian"
    package static let programs = "Trillian (XML)"
    /// 1 MiB: a message has at most some kilobytes, of which each byte may be written as three.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false
    /// The name that Trillian gives the user by default.
    package static let ownerWords = ["Me"]

    private let room: String
    private let roomKind: RoomReference.Kind

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool { TrillianHead(source.beginning).isOfTrillian }

    package static func cutter() -> any SourceCutter {
        ElementCutter(["message", "filetransfer"], maximumPiece: maximumLine)
    }

    /// - Throws: ``LogSourceError/noRoom`` if neither the file's name nor a session gives a contact, and no room is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        let place = TrillianPlace(source)
        let head = TrillianHead(source.beginning)
        guard let room = source.room ?? place.contact ?? head.contact else { throw .noRoom }
        self.room = room.withoutNUL
        roomKind = place.roomKind(medium: head.medium)
    }

    /// Returns the network, such as `icq`, in small letters.
    package static func accountName(in source: LogSource) -> String? {
        TrillianHead(source.beginning).medium.flatMap { ExportText.name($0.lowercased()) }
    }

    /// Returns the time of the first message in a file's beginning; nil if there is none, and for a file of another format.
    static func firstTime(in source: LogSource) -> Timestamp? {
        guard recognises(source), var format = try? TrillianFormat(source) else { return nil }
        var cutter = cutter()
        var first: Timestamp?
        cutter.cutLines(source.beginning[...]) { line in
            guard first == nil, case .message(let message) = format.parseLine(line) else { return }
            first = message.time
        }
        return first
    }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            try line.requireWholeElement(limit: Self.maximumLine)
            return try read(line)
        } catch {
            return .unreadable(error.reason)
        }
    }

    private func read(_ line: LogLine) throws(UnreadablePiece) -> ParsedLine {
        var scanner = HTMLScanner(line.bytes)
        guard case .opening(let tag)? = scanner.next() else { throw UnreadablePiece("it is not an element") }
        let type = tag.attribute("type") ?? ""
        // The end of a transfer says nothing about the file.
        if line.place == "filetransfer", !type.hasSuffix("Initialize") { return .nothing }
        guard let (time, resolution) = Self.time(of: tag) else { throw UnreadablePiece("its \"time\" is not a time") }
        var imported = ImportedMessage(
            room: room, roomKind: roomKind, kind: .system, sender: nil, body: nil, time: time, resolution: resolution,
            flags: LogText(line.bytes).flags)
        let isOutgoing = type.hasPrefix("outgoing_")
        let isSaid = isOutgoing || type.hasPrefix("incoming_")
        if line.place == "filetransfer" {
            imported.files = [ImportedMessage.File(path: try Self.fileName(of: tag))]
        } else {
            let text = ExportText(lines: [Self.text(of: tag)])
            (imported.body, imported.flags) = (text.string, imported.flags.union(text.flags))
            if !isSaid, text.string == nil { return .nothing }
        }
        if isSaid {
            imported.kind = type.hasSuffix("Action") ? .action : .message
            imported.senderKey = Self.name(in: tag, "from")
            // The history that the service keeps names nobody.
            imported.sender =
                Self.name(in: tag, "from_display") ?? imported.senderKey ?? (isOutgoing ? Self.ownerWords[0] : room)
        }
        return .message(imported)
    }

    /// Times above this are in milliseconds: as seconds it is the year 5138.
    private static let firstMilliseconds: Int64 = 100_000_000_000

    private static func time(of tag: HTMLTag) -> (Timestamp, TimeResolution)? {
        guard let time = tag.attribute("time").flatMap({ Int64($0) }) else { return nil }
        guard time < firstMilliseconds else { return (Timestamp(milliseconds: time), .microsecond) }
        let milliseconds = tag.attribute("ms").flatMap { Int64($0) } ?? 0
        // Older versions have no milliseconds, and some events 0.
        guard (1..<1000).contains(milliseconds) else { return (Timestamp(seconds: time), .second) }
        return (Timestamp(seconds: time).advanced(byMicroseconds: milliseconds * 1000), .microsecond)
    }

    private static func name(in tag: HTMLTag, _ attribute: String) -> String? {
        ExportText.name(tag.attribute(attribute).map { PercentCode.decode($0).trimmedOfBlanks })
    }

    /// Newer versions write HTML, in which lines and links are elements.
    private static let markup = ["<br", "<a href=", "<img "]

    private static func text(of tag: HTMLTag) -> String? {
        guard let text = tag.attribute("text").map(PercentCode.decode) else { return nil }
        guard markup.contains(where: { Array(text.utf8)[...].range(of: $0) != nil }) else { return text }
        return MarkupText(Array(text.utf8)[...]).string
    }

    /// Returns the name of a file, whose path is on the Windows machine that sent or received it.
    private static func fileName(of tag: HTMLTag) throws(UnreadablePiece) -> String {
        let path = tag.attribute("link").map(PercentCode.decode) ?? ""
        let name = path.split { $0 == "\\" || $0 == "/" }.last.map(String.init)
        guard let name = ExportText.name(name) else { throw UnreadablePiece("it names no file") }
        return name
    }
}

/// The facts in the first elements of a log: the network, and the contact of the first session.
private struct TrillianHead {
    private(set) var isOfTrillian = false
    private(set) var medium: String?
    private(set) var contact: String?

    /// The first elements are in the first 16 KiB.
    private static let searched = 16 * 1024

    init(_ beginning: [UInt8]) {
        let text = beginning.drop { Byte.isJSONSpace($0) || [0xEF, 0xBB, 0xBF].contains($0) }.prefix(Self.searched)
        // A byte order mark may stand in place of the first three bytes.
        guard text.first == UInt8(ascii: "<") || text.starts(with: "ssion type=") else { return }
        var scanner = HTMLScanner(text)
        while contact == nil || medium == nil, let token = scanner.next() {
            guard case .opening(let tag) = token else { continue }
            let type = tag.attribute("type") ?? ""
            let isMessage = tag.isNamed("message") && tag.attribute("text") != nil
            guard isMessage || ["session", "status", "icon", "filetransfer"].contains(where: tag.isNamed) else {
                // A version begins its files with the number of their form.
                if !isOfTrillian, !tag.isNamed("history") { return }
                continue
            }
            guard tag.attribute("time") != nil,
                tag.attribute("medium") != nil || ["incoming_", "outgoing_"].contains(where: type.hasPrefix)
            else { continue }
            isOfTrillian = true
            medium = medium ?? ExportText.name(tag.attribute("medium"))
            if contact == nil, tag.isNamed("session"), type == "start" {
                contact = ExportText.name(tag.attribute("to").map(PercentCode.decode))
            }
        }
    }
}
