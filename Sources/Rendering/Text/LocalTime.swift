package import ChatModel
package import FoundationEssentials
import Glibc

/// Texts of times for people in a zone.
package struct LocalTime: Sendable {
    package let zone: TimeZone

    package init(zone: TimeZone) {
        self.zone = zone
    }

    /// Returns a day such as `2026-11-21`.
    package func day(_ time: Timestamp) -> String {
        String(shifted(time).prefix(10))
    }

    /// Returns days such as `2026-11-21 to 2026-11-24`, or one day if both times are on it; nil without times.
    package func days(_ first: Timestamp?, _ last: Timestamp?) -> String? {
        let days = [first, last].compactMap { $0.map(day) }
        return days.first == days.last ? days.first : days.joined(separator: " to ")
    }

    /// Returns a day such as `Saturday 2026-11-21`.
    func dayWithName(_ time: Timestamp) -> String {
        let names = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
        // 1970-01-01 was a Thursday.
        let days = Int((Double(shiftedMicroseconds(time)) / 86_400_000_000).rounded(.down))
        return names[((days % 7) + 7) % 7] + " " + day(time)
    }

    /// Returns a time such as `06:23`.
    package func minute(_ time: Timestamp) -> String {
        String(shifted(time).dropFirst(11).prefix(5))
    }

    /// Returns a time such as `06:23:11`.
    package func second(_ time: Timestamp) -> String {
        String(shifted(time).dropFirst(11).prefix(8))
    }

    /// Returns a time such as `2026-11-21 06:23:11`.
    package func dayAndSecond(_ time: Timestamp) -> String {
        let text = shifted(time)
        return text.prefix(10) + " " + text.dropFirst(11).prefix(8)
    }

    /// Returns a time such as `2026-11-21 06:23:11.123456`.
    package func exact(_ time: Timestamp) -> String {
        day(time) + " " + shifted(time).dropFirst(11).prefix(15)
    }

    /// Returns the local time written as if it were UTC, with the zone's offset at that instant.
    private func shifted(_ time: Timestamp) -> String {
        Timestamp(microseconds: shiftedMicroseconds(time)).description
    }

    private func shiftedMicroseconds(_ time: Timestamp) -> Int64 {
        let seconds = Double(time.microseconds) / 1_000_000
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
        return time.advanced(byMicroseconds: Int64(offset) * 1_000_000).microseconds
    }
}

/// A duration in its largest unit or two: `40 s`, `2 min`, `3 h 5 min`, `2 days 4 h`. A negative one counts as `under 1
/// s`.
package struct RoughDuration: CustomStringConvertible {
    package let duration: Duration

    package init(_ duration: Duration) {
        self.duration = duration
    }

    package var description: String {
        let seconds = max(0, duration.components.seconds)
        switch seconds {
        case 0: return "under 1 s"
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min"
        case ..<86_400: return Self.join("\(seconds / 3600) h", seconds % 3600 / 60, "min")
        default:
            let days = seconds / 86_400
            return Self.join(days == 1 ? "1 day" : "\(days) days", seconds % 86_400 / 3600, "h")
        }
    }

    private static func join(_ large: String, _ small: Int64, _ unit: String) -> String {
        small == 0 ? large : "\(large) \(small) \(unit)"
    }
}

extension TimeZone {
    /// The local zone. Foundation's `current` copies the environment twice before it reads `/etc/localtime`, which takes 3% of
    /// the instructions of a search *(measured)*.
    package static let local: TimeZone = {
        guard let variable else {
            guard getenv("TZFILE") == nil, let name = linkedName else { return .current }
            return TimeZone(identifier: name) ?? .current
        }
        if let unknownVariable {
            StandardStream.note(
                "scrollback: unknown zone in TZ: \"\(Sanitizer.line(unknownVariable))\"; times are in UTC; set TZ to a name such as Europe/Berlin\n"
            )
        }
        return variable.zone ?? .gmt
    }()

    /// The value of `TZ`, and its zone; nil without the variable.
    private static let variable: (text: String, zone: TimeZone?)? = getenv("TZ").map {
        let text = String(cString: $0)
        return (text, TimeZone(variable: text))
    }

    /// The value of `TZ` if it names an unknown zone, so that local times are read as UTC; nil otherwise.
    package static var unknownVariable: String? {
        variable.flatMap { $0.zone == nil && !$0.text.isEmpty ? $0.text : nil }
    }

    /// Reads a value of `TZ` as tzset(3) does: a zone's name, also after `:` or a path of zones, or a fixed offset such as
    /// `KST-9`, whose sign is the opposite of ISO 8601's. Nil for another value, such as a rule of summer time.
    package init?(variable: String) {
        var name = variable.hasPrefix(":") ? variable.dropFirst() : variable[...]
        if name == "/etc/localtime", let linked = Self.linkedName { name = linked[...] }
        if let folder = name.firstRange(of: "/zoneinfo/") { name = name[folder.upperBound...] }
        // Foundation would read GMT+9 as 9 hours east.
        guard let zone = Self.fixed(name) ?? TimeZone(identifier: String(name)) else { return nil }
        self = zone
    }

    private static func fixed(_ text: Substring) -> TimeZone? {
        // Spares most values the regular expression, whose first use takes half a millisecond.
        guard text.last?.isNumber == true,
            let match = text.wholeMatch(of: /(?:<[^>]+>|[A-Za-z]{3,})([+-]?)(\d{1,2})(?::(\d\d))?(?::(\d\d))?/)
        else {
            return nil
        }
        let (hours, minutes, seconds) = (
            Int(match.2) ?? 0, match.3.flatMap { Int($0) } ?? 0, match.4.flatMap { Int($0) } ?? 0
        )
        let offset = hours * 3600 + minutes * 60 + seconds
        return hours <= 24 ? TimeZone(secondsFromGMT: match.1 == "-" ? offset : -offset) : nil
    }

    /// The zone's name in the target of `/etc/localtime`; nil if that is not a link to a zone. C's function searches, because
    /// Foundation's would first prepare its tables of characters.
    private static var linkedName: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { target in
            target.initialize(repeating: 0)
            guard let base = target.baseAddress, readlink("/etc/localtime", base, Int(PATH_MAX)) > 0,
                let folder = strstr(base, "/zoneinfo/")
            else { return nil }
            return String(cString: folder + strlen("/zoneinfo/"))
        }
    }
}
