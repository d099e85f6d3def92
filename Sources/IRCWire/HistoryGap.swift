/// Why a part of a room's history can't be fetched.
package enum HistoryGap: Sendable, Hashable {
    /// The last covered message is not in what the server gives: it no longer has all since, or never kept that message.
    case anchorMissing
    /// One millisecond holds a page of messages or more, and the server can be paged through by time only.
    case burst(messages: Int)
    /// Pages without end that never come past one time.
    case noProgress
    /// The messages have no `time`.
    case withoutTimes
    /// One message alone is more than can be read.
    case tooLarge

    /// For people.
    package var detail: String {
        switch self {
        case .anchorMissing: "the server's history no longer holds the last message archived before"
        case .burst(let messages):
            "one millisecond holds \(messages) messages or more, and the server gives no more of them by time"
        case .noProgress: "the server gave page after page of one and the same time"
        case .withoutTimes: "the server's history has no times"
        case .tooLarge: "a message of the server's history is larger than can be read"
        }
    }
}
