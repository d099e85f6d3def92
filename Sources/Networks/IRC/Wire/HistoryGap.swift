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
        case .anchorMissing: "the server's history no longer has the last archived message"
        case .burst(let messages):
            "one millisecond has \(messages) messages or more, and the server can't return the rest"
        case .noProgress: "the server returned several pages of history with the same time"
        case .withoutTimes: "the server's history has no times"
        case .tooLarge: "a message in the server's history exceeds the size limit"
        }
    }
}
