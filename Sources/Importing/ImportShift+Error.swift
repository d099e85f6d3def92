package import Archive
package import ChatModel
import Rendering

extension ImportError {
    /// Creates the error of an import that would store messages a second time, at other times.
    ///
    /// - Parameter zone: The zone of the import; nil if the times include their zone.
    package init(_ shift: ImportShift, into account: String, zone: Zone?) {
        let minutes = abs(shift.seconds) / 60
        let distance = minutes % 60 == 0 ? (minutes / 60).of("hour") : "\(minutes / 60) h \(minutes % 60) min"
        self.init(
            .shifted, Sanitizer.line("\(account)/\(shift.room)"),
            "the archive has these messages already, \(distance) \(shift.seconds > 0 ? "earlier" : "later"), "
                + "as if from another time zone",
            hint: (zone.flatMap { Self.zone(of: shift, $0) } ?? "")
                + "to store them a second time: --allow-shift")
    }

    /// Returns advice that names the zone in which the import's times are those of the stored messages.
    private static func zone(of shift: ImportShift, _ zone: Zone) -> String? {
        let offset = zone.secondsFromGMT(at: shift.time) + shift.seconds
        guard abs(offset) <= 18 * 3600 else { return nil }
        let minutes = abs(offset) / 60
        let digits = [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
        let day = shift.time.description.prefix(10)
        return "on \(day), its times fit if they are read as \(offset < 0 ? "-" : "+")\(digits); give that with "
            + "--timezone, or a place such as Europe/Berlin if it has summer time; "
    }
}
