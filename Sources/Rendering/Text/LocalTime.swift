package import ChatModel
import Glibc

/// Texts of times for people in a zone.
package struct LocalTime: Sendable {
    package let zone: Zone

    package init(zone: Zone) {
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
    package func dayWithName(_ time: Timestamp) -> String {
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
        time.advanced(byMicroseconds: Int64(zone.secondsFromGMT(at: time)) * 1_000_000).microseconds
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

extension Zone {
    /// The local zone. Writes a note if `TZ` names an unknown one.
    package static let local: Zone = {
        if let unknownVariable {
            StandardStream.note(
                "scrollback: unknown zone in TZ: \"\(Sanitizer.line(unknownVariable))\"; times are in UTC; set TZ to a name such as Europe/Berlin\n"
            )
        }
        return current
    }()
}
