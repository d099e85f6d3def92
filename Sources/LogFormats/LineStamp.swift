import Bytes
import ChatModel

/// The time at the beginning of a log's line: `[03:41]`, `03:41:59`, `2026-11-21 03:41:59`,
/// `2026-11-21T03:41:59.123456Z`.
struct LineStamp: Sendable, Hashable {
    /// The brackets around a time.
    enum Brackets: Sendable {
        case required, optional, none
    }

    var date: CalendarDate?
    /// The seconds since midnight; 86,400 in a leap second.
    var seconds: Int
    /// The microseconds of the second.
    var microseconds: Int64 = 0
    var resolution: TimeResolution
    /// The zone in seconds east of UTC; nil if the line has none.
    var offset: Int?

    /// Takes the time, and one space or tab after it, from the beginning of a line. Nil if the line does not begin with
    /// a time; the line is unchanged in that case.
    init?(taking line: inout ArraySlice<UInt8>, brackets: Brackets) {
        var scanner = ByteScanner(line)
        let isBracketed = brackets != .none && scanner.take("[")
        guard isBracketed || brackets != .required else { return nil }
        let date = scanner.date()
        if date != nil, !scanner.take(" "), !scanner.take("T") { return nil }
        guard let clock = scanner.clock() else { return nil }
        self.init(
            date: date, seconds: clock.seconds, microseconds: clock.microseconds ?? 0,
            resolution: clock.second == nil ? .minute : clock.microseconds == nil ? .second : .microsecond)
        if date != nil { offset = Self.offset(&scanner) }
        guard isBracketed ? scanner.take("]") : scanner.isAtBlank else { return nil }
        if !scanner.take(" ") { _ = scanner.take("\t") }
        line = scanner.rest
    }

    /// Takes the zone at the end of a stamp: `Z`, `+09:00` or ` -0330`.
    private static func offset(_ scanner: inout ByteScanner) -> Int? {
        var copy = scanner
        if copy.take(Byte.space), copy.rest.first == UInt8(ascii: "Z") { return nil }
        // Accepts less than 19 hours, as ISO 8601 readers do. No zone has more than 14.
        guard let offset = copy.offset(), abs(offset) < 19 * 3600,
            copy.isAtBlank || copy.rest.first == Byte.listEnd
        else { return nil }
        scanner = copy
        return offset
    }

    init(date: CalendarDate? = nil, seconds: Int, microseconds: Int64 = 0, resolution: TimeResolution) {
        (self.date, self.seconds, self.microseconds, self.resolution) = (date, seconds, microseconds, resolution)
    }
}

extension ByteScanner {
    fileprivate var isAtBlank: Bool { rest.first.map { $0 == Byte.space || $0 == UInt8(ascii: "\t") } ?? true }
}
