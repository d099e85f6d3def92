import Bytes
import ChatModel

/// Conversations in the pages of Meta's downloads: `message_1.html` and so on, of Messenger and Instagram. The newest messages
/// come first.
///
/// The pages have less than the JSON of ``MessengerFormat``: no ids, and local times in the account's language. Their texts are
/// right, where those of the JSON are misread UTF-8.
package struct MessengerHTMLFormat: LogFormat {
    package static let name = "messenger-html"
    package static let programs = "Messenger, Instagram (HTML)"
    /// 1 MiB: a message has at most 20,000 characters with their tags; the head has some hundred kilobytes of styles.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = true
    package static let leavesDateOrderOpen = true

    private let givenRoom: String?
    private let folder: String?
    private let zone: Zone
    private let dateOrder: DateOrder?
    private var title: String?
    /// The sender of the block above, whom a block without a sender has.
    private var sender: String?
    /// The time of the message before, and the number of messages that had it.
    private var last: (time: Timestamp, count: Int)?
    /// True once a message of the file has a time. Blocks before it are about the conversation.
    private var hasBegun = false
    private var isBreakReported = false
    private var omissions = ExportOmissions()
    private var reactions = 0

    // MARK: - Recognition

    /// Recognises a page by its name and the classes of its elements, because lists of other things have the same elements.
    package static func recognises(_ source: LogSource) -> Bool {
        guard number(of: source.name) != nil, HTMLTag(rootOf: source.beginning)?.isNamed("html") ?? false else {
            return false
        }
        return MessengerPart.marks.contains { source.beginning[...].range(of: $0) != nil }
    }

    package static func cutter() -> any SourceCutter {
        PageCutter(
            marker: "<div class=\"pam ", or: "<section class=\"_a6-g", "<div class=\"_3-95 _a6-g", "<div class=\"_a6-g",
            maximumPiece: maximumLine)
    }

    /// Returns a conversation's pages, the newest first; nil for other folders.
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
        let files = MessengerFolder.files(among: paths, ending: ending)
        return files.isEmpty ? nil : files
    }

    private static let ending = ".html"

    private static func number(of name: String) -> Int? { MessengerFolder.number(of: name, ending: ending) }

    package static func accountName(in source: LogSource) -> String? { MessengerFolder.accountName(in: source) }

    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
        folder = Self.number(of: source.name) == nil ? nil : source.folders.last
        (zone, dateOrder) = (source.zone, source.choices.dateOrder)
    }

    package mutating func begin(file path: String) { (sender, hasBegun, isBreakReported) = (nil, false, false) }

    package var assumptions: [String] {
        omissions.assumptions(zone: zone.identifier)
            + (reactions > 0 ? ["reactions skipped, because the messages have no ids: \(reactions)"] : [])
    }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            guard line.place != PageCutter.brokenPlace else {
                return isBreakReported ? .nothing : .unreadable("the file ends in the middle of its HTML")
            }
            guard line.place == PageCutter.messagePlace else {
                title = title ?? MessengerPart.title(in: line.bytes)
                return .nothing
            }
            guard !line.isCut else { throw UnreadablePiece("longer than \(Self.maximumLine) bytes") }
            let part = MessengerPart(line.bytes)
            guard part.time != nil || hasBegun else { return .nothing }
            let message = try message(part)
            (hasBegun, isBreakReported) = (true, false)
            return .message(message)
        } catch {
            isBreakReported = true
            return .unreadable(error.reason)
        }
    }

    private mutating func message(_ part: MessengerPart) throws(UnreadablePiece) -> ImportedMessage {
        guard let room = givenRoom ?? roomName else {
            throw UnreadablePiece("the page names no conversation before it")
        }
        sender = part.hasHeading ? ExportText.name(part.sender.trimmedOfBlanks) : sender
        guard let sender else { throw UnreadablePiece("it names no sender") }
        let (time, resolution) = try time(of: part)
        let count = last?.time == time ? (last?.count ?? 0) + 1 : 1
        last = (time, count)
        reactions += part.reactions
        let text = ExportText(lines: [part.lines.joined(separator: "\n")])
        return ImportedMessage(
            room: room, roomKey: givenRoom == nil ? folder.flatMap(MessengerFolder.roomKey) : nil, roomKind: .group,
            kind: .message, sender: sender, body: text.string, time: time, resolution: resolution,
            // Messages of one time keep their order: the newest is the first in the file.
            place: time.advanced(byMicroseconds: max(0, Self.placesOfTime - Int64(count))),
            flags: text.flags.union(part.flags),
            files: part.files.map { ImportedMessage.File(path: $0) })
    }

    /// A second: no more messages have one time.
    private static let placesOfTime: Int64 = 1_000_000

    /// The title of the page; without one, the folder's name without its number.
    private var roomName: String? {
        title
            ?? folder.flatMap { folder in
                let parts = folder.split(separator: "_")
                return ExportText.name(parts.count > 1 ? parts.dropLast().joined(separator: "_") : folder)
            }
    }

    // MARK: - Times

    private mutating func time(of part: MessengerPart) throws(UnreadablePiece) -> (Timestamp, TimeResolution) {
        guard let text = part.time?.trimmedOfBlanks, !text.isEmpty else { throw UnreadablePiece("it has no time") }
        guard let spelled = SpelledTime(text, monthNamed: Self.month) else {
            let shown = ExportText(lines: [text], limit: SpelledTime.maximumLength).string ?? ""
            throw UnreadablePiece("can't read its time, \"\(shown)\"")
        }
        guard let date = date(of: spelled), let day = LocalDay(date, zone: zone) else {
            throw UnreadablePiece("day or month first in \"\(text)\"? --date-order dmy or mdy says it")
        }
        omissions.countTime()
        let instants = day.instants(of: spelled.clock.seconds)
        // When the clock is set back, the later instant comes first, unless the page has passed it.
        let found = instants.second.flatMap { second in last.map { second <= $0.time } ?? true ? second : nil }
        return (found ?? instants.first, spelled.clock.second == nil ? .minute : .second)
    }

    private func date(of spelled: SpelledTime) -> CalendarDate? {
        guard spelled.dates.count > 1 else { return spelled.dates.first }
        return switch dateOrder {
        case .mdy: spelled.dates[0]
        case .dmy: spelled.dates[1]
        case .ymd, nil: nil
        }
    }

    /// Returns the number of a month; nil for another word. Meta abbreviates months in many languages.
    private static func month(_ word: String) -> Int? {
        WholeMonthName.number(word) ?? MonthName.number(word) ?? otherMonths[word]
            ?? thaiMonths.firstIndex(of: word).map { $0 + 1 }
    }

    /// June and July in Czech, which the C library shortens otherwise.
    private static let otherMonths = ["čvn": 6, "čvc": 7]

    private static let thaiMonths = [
        "ม.ค", "ก.พ", "มี.ค", "เม.ย", "พ.ค", "มิ.ย", "ก.ค", "ส.ค", "ก.ย", "ต.ค", "พ.ย", "ธ.ค",
    ]
}
