import Bytes
import ChatModel

/// A time as Google Chat's download writes it, in the language of the account and in UTC:
/// `Wednesday, January 4, 2023 at 10:59:50 AM UTC`, `2026年5月29日星期五 UTC 03:00:29`, `2015. február 15., vasárnap 21:54:36 UTC`.
struct GoogleChatTime {
    let time: Timestamp

    /// Nil for a text that has not exactly one year, month, day and time of day, or no `UTC`.
    init?(_ text: String) {
        guard let spelled = SpelledTime(text, monthNamed: WholeMonthName.number), spelled.isUTC,
            !spelled.isNumeric, let day = spelled.dates.first.flatMap({ LocalDay($0, zone: .gmt) })
        else { return nil }
        time = day.instants(of: spelled.clock.seconds).first
    }
}
