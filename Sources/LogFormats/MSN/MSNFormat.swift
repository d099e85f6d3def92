import Bytes
import ChatModel

/// The histories of MSN Messenger and Windows Live Messenger: an XML file for each contact, whose times are in UTC.
package struct MSNFormat: LogFormat {
    package static let name = "msn"
    package static let programs = "MSN Messenger, Windows Live Messenger (XML)"
    /// 1 MiB: a message has at most some kilobytes.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false

    private let room: String

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        guard let root = HTMLTag(rootOf: source.beginning) else { return false }
        return root.isNamed("Log") && root.attribute("FirstSessionID") != nil
    }

    package static func cutter() -> any SourceCutter {
        ElementCutter(
            ["Message", "Invitation", "InvitationResponse", "Join", "Leave"], in: ["Log"], maximumPiece: maximumLine)
    }

    /// - Throws: ``LogSourceError/noRoom`` for a file without a name, unless a room is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let room = source.room ?? Self.contact(source.name) else { throw .noRoom }
        self.room = room.withoutNUL
    }

    /// Returns `bob` for `bob3141592653.xml`: the program adds a number of the address.
    private static func contact(_ name: String) -> String? {
        let stem = name.lowercased().hasSuffix(".xml") ? String(name.dropLast(4)) : name
        let digits = stem.utf8.reversed().prefix(while: Byte.isDigit).count
        return ExportText.name(digits >= 5 ? String(stem.dropLast(digits)) : stem, stem)
    }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            try line.requireWholeElement(limit: Self.maximumLine)
            return .message(try message(line))
        } catch {
            return .unreadable(error.reason)
        }
    }

    private func message(_ line: LogLine) throws(UnreadablePiece) -> ImportedMessage {
        var scanner = HTMLScanner(line.bytes)
        guard case .opening(let tag)? = scanner.next() else { throw UnreadablePiece("it is not an element") }
        guard let time = tag.attribute("DateTime").flatMap({ WrittenTime($0) }),
            let instant = time.instants(in: .gmt).first
        else { throw UnreadablePiece("its \"DateTime\" is not a time") }
        let parts = Parts(&scanner)
        guard let sender = parts.sender else { throw UnreadablePiece("it names no sender") }
        let text = ExportText(lines: line.place == "Join" || line.place == "Leave" ? [] : [parts.text])
        let kind: MessageKind =
            switch line.place {
            case "Message": .message
            case "Join": .join
            case "Leave": .leave
            default: .action
            }
        return ImportedMessage(
            room: room, roomKind: .group, kind: kind, sender: sender.name, senderKey: sender.key, body: text.string,
            time: instant, resolution: .microsecond, flags: text.flags.union(LogText(line.bytes).flags),
            files: parts.files.map { ImportedMessage.File(path: $0) })
    }

    /// The parts of an element.
    private struct Parts {
        var sender: (name: String, key: String?)?
        var text = ""
        var files: [String] = []

        init(_ scanner: inout HTMLScanner) {
            var (isReceiver, place) = (false, "")
            while let token = scanner.next() {
                switch token {
                case .opening(let tag):
                    if tag.isNamed("To") { isReceiver = true }
                    if tag.isNamed("User"), !isReceiver, sender == nil {
                        let key = ExportText.name(tag.attribute("LogonName"))
                        sender = ExportText.name(tag.attribute("FriendlyName"), key).map { ($0, key) }
                    }
                    place = tag.isVoid ? "" : String(decoding: tag.name, as: UTF8.self)
                case .closing(let name):
                    if name.elementsEqual("To".utf8) { isReceiver = false }
                    place = ""
                case .text(let bytes):
                    if place == "Text" { text += HTMLText(bytes).string }
                    if place == "File", files.count < 100, let name = ExportText.name(HTMLText(bytes).string) {
                        files.append(name)
                    }
                }
            }
        }
    }
}
