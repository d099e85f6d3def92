import Bytes
import ChatModel

/// The history of Kopete: an XML file for each contact and month. A message has its day and local time:
/// `<msg nick="Alice" in="1" from="alice@example.net" time="21 6:23:11">hi</msg>` (version 0.9 of the history).
package struct KopeteFormat: LogFormat {
    package static let name = "kopete"
    package static let programs = "Kopete"
    /// 1 MiB: a message has at most some kilobytes.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = true

    private let room: String
    private let month: (year: Int, month: Int)
    private var clock: LogClock

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        HTMLTag(rootOf: source.beginning)?.isNamed("kopete-history") ?? false
    }

    package static func cutter() -> any SourceCutter {
        ElementCutter(["msg"], in: ["kopete-history"], maximumPiece: maximumLine)
    }

    /// - Throws: ``LogSourceError`` if the head has no month, or no contact and no room is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        let head = KopeteHead(source.beginning)
        guard let month = head.month else { throw .noDate }
        guard let room = source.room ?? head.contact else { throw .noRoom }
        self.room = room.withoutNUL
        self.month = month
        clock = LogClock(zone: source.zone, now: source.now)
    }

    /// Returns the account's own name.
    package static func accountName(in source: LogSource) -> String? { KopeteHead(source.beginning).own }

    package var assumptions: [String] { clock.assumptions }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            try line.requireWholeElement(limit: Self.maximumLine)
            var scanner = HTMLScanner(line.bytes)
            guard case .opening(let tag)? = scanner.next(), let stamp = stamp(tag.attribute("time")),
                let time = clock.resolve(stamp, line: line.number)
            else { throw UnreadablePiece("its \"time\" is not a time") }
            let text = ExportText(lines: [MarkupText(line.bytes).string])
            let key = ExportText.name(tag.attribute("from"))
            return .message(
                ImportedMessage(
                    room: room, roomKind: .direct, kind: .message, sender: ExportText.name(tag.attribute("nick"), key),
                    senderKey: key, body: text.string ?? "", time: time.time, resolution: time.resolution,
                    place: time.place, flags: text.flags.union(LogText(line.bytes).flags)))
        } catch {
            return .unreadable(error.reason)
        }
    }

    /// Reads `21 6:23:11`, whose numbers have no zeros before them.
    private func stamp(_ text: String?) -> LineStamp? {
        let numbers = text?.split { $0 == " " || $0 == ":" }.compactMap { Int($0) } ?? []
        guard numbers.count == 4, (0..<24).contains(numbers[1]), (0..<60).contains(numbers[2]),
            (0...60).contains(numbers[3])
        else { return nil }
        let date = CalendarDate(year: month.year, month: month.month, day: numbers[0])
        guard date.daysSince1970 != nil else { return nil }
        return LineStamp(
            date: date, seconds: (numbers[1] * 60 + numbers[2]) * 60 + numbers[3], resolution: .second)
    }
}

/// The head of a history: its month, the account and the other person.
private struct KopeteHead {
    private(set) var month: (year: Int, month: Int)?
    private(set) var own: String?
    private(set) var contact: String?

    init(_ beginning: [UInt8]) {
        var scanner = HTMLScanner(beginning[...])
        while let token = scanner.next() {
            switch token {
            case .opening(let tag) where tag.isNamed("date"):
                let numbers = ["year", "month"].compactMap { tag.attribute($0).flatMap(Int.init) }
                if numbers.count == 2, (1970...9999).contains(numbers[0]), (1...12).contains(numbers[1]) {
                    month = (numbers[0], numbers[1])
                }
            case .opening(let tag) where tag.isNamed("contact"):
                let name = ExportText.name(tag.attribute("contactId"))
                if tag.attribute("type") == "myself" { own = own ?? name } else { contact = contact ?? name }
            case .opening(let tag) where tag.isNamed("msg"): return
            default: continue
            }
        }
    }
}
