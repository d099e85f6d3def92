import Bytes
import ChatModel

/// The logs of Adium 1.0 and later: an XML file for each conversation, in a folder `… .chatlog` with its pictures. A file
/// that Adium could not end, after a crash, has no last tag.
package struct AdiumFormat: LogFormat {
    package static let name = "adium"
    package static let programs = "Adium (XML)"
    /// 1 MiB: a message has some kilobytes of XHTML.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false

    private let room: String

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        guard let root = HTMLTag(rootOf: source.beginning), root.isNamed("chat") else { return false }
        return root.attribute("xmlns")?.hasPrefix("http://purl.org/net/ulf/ns/") ?? false
    }

    package static func cutter() -> any SourceCutter {
        ElementCutter(["message", "action", "event", "status"], maximumPiece: maximumLine)
    }

    /// - Throws: ``LogSourceError/noRoom`` if neither the file nor its folder has a name, and no room is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let room = source.room ?? ExportText.name(Self.partner(source)) else { throw .noRoom }
        self.room = room.withoutNUL
    }

    /// Returns `bob` for `bob (2010-01-02T10.00.00-0400).xml`, else the name of the folder.
    private static func partner(_ source: LogSource) -> String? {
        let stem = source.name.split(separator: ".").dropLast().joined(separator: ".")
        let name = stem.isEmpty ? source.name : stem
        let bytes = Array(name.utf8)[...]
        guard let end = bytes.lastRange(of: " (") else {
            return source.folders.last { !$0.hasSuffix(".chatlog") } ?? name
        }
        return String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    }

    /// Returns the service, such as `aim`, in small letters.
    package static func accountName(in source: LogSource) -> String? {
        HTMLTag(rootOf: source.beginning)?.attribute("service").flatMap { ExportText.name($0.lowercased()) }
    }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            // The end of a conversation that was not closed loses nothing.
            guard line.place != ElementCutter.brokenPlace || !line.bytes.isEmpty else { return .nothing }
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
        // Adium writes these when its window opens and closes.
        if line.place == "event", type == "windowOpened" || type == "windowClosed" { return .nothing }
        guard let time = tag.attribute("time").flatMap({ WrittenTime($0) }), let instant = time.instants(in: .gmt).first
        else { throw UnreadablePiece("its \"time\" is not a time") }
        let sender = ExportText.name(tag.attribute("sender"))
        let name = ExportText.name(tag.attribute("alias"), sender)
        let content = MarkupText(line.bytes)
        var imported = ImportedMessage(
            room: room, roomKind: .group, kind: .message, sender: name, senderKey: sender, body: nil, time: instant,
            resolution: .second)
        let words = content.string.trimmedOfBlanks
        let text: ExportText
        switch line.place {
        case "message" where sender != nil, "action" where sender != nil:
            imported.kind = line.place == "action" ? .action : .message
            text = ExportText(lines: [words])
            imported.files = content.images.compactMap { ExportText.name($0) }.map { ImportedMessage.File(path: $0) }
        default:
            (imported.kind, imported.sender, imported.senderKey) = (.system, nil, nil)
            let status = [name, type.isEmpty ? nil : type].compactMap(\.self).joined(separator: ": ")
            text = ExportText(lines: [status, words])
        }
        (imported.body, imported.flags) = (text.string, text.flags.union(LogText(line.bytes).flags))
        return .message(imported)
    }
}
