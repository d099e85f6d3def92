extension HistoryServer {
    package enum Kind: Sendable, CaseIterable {
        /// Ergo: pages by msgid and by time. The answer for an unknown msgid is an empty batch.
        case ids
        /// soju: pages by time only. Messages have no msgid.
        case times
    }

    /// The messages that Ergo leaves out of its answers without an error, although it still has their ids.
    package enum Cut: Sendable, CaseIterable {
        /// `query-cutoff: join-time`: the messages from before our JOIN.
        case joinTime
        /// `query-cutoff: registration-time`: the messages from before our account's registration, which was five
        /// seconds ago.
        case registrationTime
        /// `expire-time`: the messages older than five seconds.
        case expireTime
    }

    /// The planned faults. Requests are counted over all connections, from 1.
    package struct Faults: Sendable {
        /// The requests at which the connection ends instead of an answer.
        package var disconnects: Set<Int> = []
        /// The requests within whose answers the connection ends, with the number of messages before that.
        package var cuts: [Int: Int] = [:]
        /// The number of requests that are refused first.
        package var refusals = 0
        /// The limit of messages in a page, regardless of the request.
        package var pageLimit: Int?
        /// The number of the first messages whose ids are unknown.
        package var forgottenIDs = 0
        /// The messages that are sent directly before the answer to a request.
        package var saidBefore: [Int: String] = [:]
        package var cut: Cut?
        /// The requests without an answer.
        package var silences: Set<Int> = []
    }

    package struct Said: Sendable {
        /// The number in the order of sending.
        package let number: Int
        package let room: String
        package let nick: String
        package let text: String
        /// The time by the server's clock, in milliseconds since 1970.
        package let milliseconds: Int64
        /// True if the archiver was connected, and so received the message live.
        package let wasHeard: Bool
        /// True for the account's own join, which has no text.
        var isJoin = false
    }
}
