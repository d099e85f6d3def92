/// The reason why a part of a room's history can't be fetched.
package enum HistoryGap: Sendable, Hashable {
    /// The last covered message is not in the server's history: the server no longer has everything since, or never
    /// kept that message.
    case anchorMissing
    /// One millisecond has a page of messages or more, and the server can be paged by time only.
    case burst(messages: Int)
    /// The pages never get past one time.
    case noProgress
    /// The messages have no `time` tag.
    case withoutTimes
    /// A single message is too large to read.
    case tooLarge

    /// The reason for people.
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
