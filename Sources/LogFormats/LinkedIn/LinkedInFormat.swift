import Bytes
import ChatModel

/// The table `messages.csv` in a copy of one's data from LinkedIn, the newest messages first. The columns are found by
/// their names, because LinkedIn adds some.
package struct LinkedInFormat: LogFormat {
    package static let name = "linkedin"
    package static let programs = "LinkedIn (messages.csv)"
    /// 1 MiB: a message has at most 8,000 characters, and a conversation 50 people.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false

    private enum Column: String, CaseIterable {
        case conversation = "CONVERSATION ID"
        case title = "CONVERSATION TITLE"
        case sender = "FROM"
        case senderAddress = "SENDER PROFILE URL"
        case receivers = "TO"
        case receiverAddresses = "RECIPIENT PROFILE URLS"
        case date = "DATE"
        case subject = "SUBJECT"
        case content = "CONTENT"
        case attachments = "ATTACHMENTS"
        case isDraft = "IS MESSAGE DRAFT"
        case isDraftConversation = "IS CONVERSATION DRAFT"
    }

    private var columns: [Column: Int]?
    private var drafts = 0

    package static func recognises(_ source: LogSource) -> Bool {
        let line = IRCLog.lines(of: source.beginning, first: 1).first ?? []
        guard let found = columns(of: line) else { return false }
        return [.conversation, .sender, .date, .content].allSatisfy { found[$0] != nil }
    }

    /// Returns the positions of the columns in a header; nil for another line.
    private static func columns(of line: ArraySlice<UInt8>) -> [Column: Int]? {
        var line = line
        if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        guard let fields = CSVRecord(line, separator: Byte.comma)?.fields else { return nil }
        let names = fields.map { String(decoding: $0 ?? [], as: UTF8.self).trimmedOfBlanks.uppercased() }
        var columns: [Column: Int] = [:]
        for column in Column.allCases { columns[column] = names.firstIndex(of: column.rawValue) }
        return columns[.conversation] == nil ? nil : columns
    }

    package static func cutter() -> any SourceCutter { CSVRecordCutter(maximumRecord: maximumLine) }

    package init(_ source: LogSource) {}

    package var hasOwnRooms: Bool { true }
    package var assumptions: [String] { drafts > 0 ? ["drafts skipped: \(drafts)"] : [] }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes; is a quote not closed?") }
        guard !line.bytes.isBlank else { return .nothing }
        guard let columns else {
            columns = Self.columns(of: line.bytes)
            return columns == nil ? .unreadable("it is not the header of LinkedIn's messages") : .nothing
        }
        do throws(UnreadablePiece) {
            guard let fields = CSVRecord(line.bytes, separator: Byte.comma)?.fields else {
                throw UnreadablePiece("a quote is not closed")
            }
            func value(_ column: Column) -> String? {
                guard let index = columns[column], fields.indices.contains(index), let field = fields[index] else {
                    return nil
                }
                let text = LogText(field).string.trimmedOfBlanks
                return text.isEmpty ? nil : text
            }
            // Some versions write Yes, others true.
            let marks = [value(.isDraft), value(.isDraftConversation)].map { $0?.lowercased() }
            if marks.contains("yes") || marks.contains("true") {
                drafts += 1
                return .nothing
            }
            var message = try Self.message(value)
            message.flags.formUnion(LogText(line.bytes).flags)
            return .message(message)
        } catch {
            return .unreadable(error.reason)
        }
    }

    private static func message(_ value: (Column) -> String?) throws(UnreadablePiece) -> ImportedMessage {
        guard let date = value(.date), let time = time(date) else {
            throw UnreadablePiece("its \"DATE\" is not a time")
        }
        guard let key = ExportText.name(value(.conversation)) else {
            throw UnreadablePiece("its \"CONVERSATION ID\" is empty")
        }
        let sender = ExportText.name(value(.sender))
        let receivers = value(.receivers)?.split(separator: ",").map { String($0).trimmedOfBlanks } ?? []
        let people = Set([sender].compactMap(\.self) + receivers).sorted().joined(separator: ", ")
        let addresses = value(.receiverAddresses)?.split { $0 == "," || $0 == " " }.count ?? receivers.count
        let content = value(.content).map {
            $0.hasPrefix("<") ? MarkupText(Array($0.utf8)[...]).string.trimmedOfBlanks : $0
        }
        let text = ExportText(lines: [value(.subject), content])
        let files = value(.attachments)?.split(separator: " ").prefix(maximumFiles).map(String.init) ?? []
        return ImportedMessage(
            room: ExportText.name(value(.title), people) ?? key, roomKey: key,
            roomKind: addresses > 1 ? .group : .direct, kind: sender == nil ? .system : .message, sender: sender,
            senderKey: sender == nil ? nil : ExportText.name(value(.senderAddress)), body: text.string, time: time,
            resolution: .second, flags: text.flags, files: files.map { ImportedMessage.File(path: $0) })
    }

    /// More than a message can have.
    private static let maximumFiles = 100

    /// Reads `2026-11-21 06:23:11 UTC`.
    private static func time(_ text: String) -> Timestamp? {
        let written = text.hasSuffix(" UTC") ? String(text.dropLast(4)) : text
        return WrittenTime(written)?.instants(in: .gmt).first
    }
}
