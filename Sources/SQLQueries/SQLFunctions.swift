import CSQLite
import ChatModel
import Schema

/// The functions that `scrollback sql` adds to SQLite's: `local(time)` and `us(text)`.
final class SQLFunctions {
    private let zone: Zone
    private let now: Timestamp
    /// The zone's offsets in seconds by UTC day, for days on which it does not change.
    private var offsets: [Int64: Int64] = [:]

    /// A hundred years have 36,525 days.
    private static let maximumDays = 40_000

    /// - Parameters:
    ///   - zone: The zone of local times.
    ///   - now: The instant from which relative times count.
    init(zone: Zone, now: Timestamp) {
        (self.zone, self.now) = (zone, now)
    }

    /// Registers the functions on a connection, which keeps this value.
    func register(on handle: OpaquePointer) {
        let functions:
            [(String, @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void)] = [
                ("local", { context, _, values in SQLFunctions.of(context)?.local(values?[0], context) }),
                ("us", { context, _, values in SQLFunctions.of(context)?.microseconds(values?[0], context) }),
            ]
        for (name, function) in functions {
            sqlite3_create_function_v2(
                handle, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, Unmanaged.passRetained(self).toOpaque(), function,
                nil,
                nil, { own in own.map { Unmanaged<SQLFunctions>.fromOpaque($0).release() } })
        }
    }

    private static func of(_ context: OpaquePointer?) -> SQLFunctions? {
        sqlite3_user_data(context).map { Unmanaged<SQLFunctions>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Gives the local time of microseconds, or of a time as the views and SQLite's functions write it:
    /// `2026-11-21 15:23:11.123456`. Null for null, and for a time outside the years 0 to 9999.
    private func local(_ value: OpaquePointer?, _ context: OpaquePointer?) {
        guard sqlite3_value_type(value) != SQLITE_NULL else { return sqlite3_result_null(context) }
        guard let time = time(value) else {
            return Self.fail(
                "local() takes microseconds, or a time in UTC such as 2026-11-21T06:23:11Z, 2026-11-21 06:23 or now",
                context)
        }
        let text = Timestamp(microseconds: time).advanced(byMicroseconds: offset(at: time) * 1_000_000).description
        guard text.utf8.count == 27 else { return sqlite3_result_null(context) }
        Self.give(text.prefix(10) + " " + text.dropFirst(11).dropLast(), to: context)
    }

    /// Gives the microseconds of a time as the options of commands take it; null for null.
    private func microseconds(_ value: OpaquePointer?, _ context: OpaquePointer?) {
        guard let text = Self.text(value) else { return sqlite3_result_null(context) }
        do {
            sqlite3_result_int64(context, try TimePhrase(text, zone: zone, now: now).start.microseconds)
        } catch {
            let reason = error.reason.map { ": \($0)" } ?? "; try 2026-11-21, 2026-11-21 06:23, 7d or yesterday"
            Self.fail("us() can't read \"\(text.prefix(100))\" as a time\(reason)", context)
        }
    }

    private func time(_ value: OpaquePointer?) -> Int64? {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return sqlite3_value_int64(value)
        case SQLITE_FLOAT: return Int64(exactly: sqlite3_value_double(value).rounded(.down))
        default:
            guard let text = Self.text(value) else { return nil }
            // Most are times of the views, which this reads fastest.
            return (text == "now" ? now : Timestamp(cursor: text) ?? Timestamp(sqlite: text))?.microseconds
        }
    }

    /// Returns the zone's offset in seconds, by the rules by which all commands show times (``Zone``).
    private func offset(at time: Int64) -> Int64 {
        guard Timestamp.storedRange.contains(time) else { return 0 }
        let seconds = Int64((Double(time) / 1_000_000).rounded(.down))
        let day = Int64((Double(seconds) / 86_400).rounded(.down))
        if let offset = offsets[day] { return offset }
        let (start, end) = (exactOffset(day * 86_400), exactOffset(day * 86_400 + 86_399))
        guard start == end else { return exactOffset(seconds) }
        if offsets.count >= Self.maximumDays { offsets = [:] }
        offsets[day] = start
        return start
    }

    private func exactOffset(_ seconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(at: seconds))
    }

    // MARK: - Values

    /// `SQLITE_TRANSIENT`, a macro that Swift can't read: SQLite copies the value.
    static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    static func give(_ text: some StringProtocol, to context: OpaquePointer?) {
        var text = String(text)
        text.withUTF8 { bytes in
            let start = bytes.baseAddress.map { UnsafeRawPointer($0) } ?? UnsafeRawPointer(bitPattern: 1)
            sqlite3_result_text64(
                context, start?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
        }
    }

    private static func fail(_ reason: String, _ context: OpaquePointer?) {
        sqlite3_result_error(context, reason, Int32(reason.utf8.count))
    }

    /// Returns a value as a text; nil for null.
    static func text(_ value: OpaquePointer?) -> String? {
        guard let bytes = sqlite3_value_text(value) else { return nil }
        let count = Int(sqlite3_value_bytes(value))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
