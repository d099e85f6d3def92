/// The status of an account: the contents of its file, and the listener's figures while one runs.
package struct AccountStatus: Sendable, Hashable, Codable {
    /// The state of the connection.
    package enum State: String, Sendable, Hashable, Codable {
        /// Connected, and the peer has sent something recently.
        case connected
        /// Connecting or logging in.
        case connecting
        /// Waiting for the next attempt, at `next_try`.
        case waiting
        /// The name, password or key was refused or has expired, and a person must replace it. The archive can be read.
        case needsLogin = "needs_login"
        /// No listener runs for the account.
        case offline
        /// The listener does not retry until the configuration changes.
        case failed
        /// The account has imported messages alone, so that no listener ever runs for it.
        case imported
    }

    package var account: String
    package var network: String
    package var state: State
    /// The time when the account entered `state`; nil if unknown.
    package var since: Timestamp?
    /// The last time when the peer was known to be connected; nil if it never was.
    package var lastSignOfLife: Timestamp?
    /// The newest message; nil in an empty archive.
    package var lastMessage: MessageID?
    /// The number of stored messages.
    package var messages: Int64
    /// The number of gaps, the current ones included.
    package var openGaps: Int64
    /// The number of events that could not be read or stored.
    package var failures: Int64
    /// The last error, for people; nil if there is none.
    package var lastError: String?
    /// The time of the next attempt; nil if none is planned.
    package var nextTry: Timestamp?
    /// The last time when bytes were received from the network.
    package var lastByte: Timestamp?
    /// The time of receipt of the newest stored event.
    package var lastEvent: Timestamp?
    /// The last time when a batch was written to disk; nil without a listener.
    package var lastCommit: Timestamp?
    /// The total length of all gaps in whole seconds, current ones up to now; nil if the file can't be read.
    package var gapSeconds: Int64?
    /// The size of the account's file in bytes, without its log; nil if there is none.
    package var fileBytes: Int64?
    /// The size of the file's write-ahead log in bytes.
    package var walBytes: Int64?
    /// The time since which the listener has counted the following figures; nil without a listener.
    package var countedSince: Timestamp?
    /// The number of connections after the first.
    package var reconnects: Int64?
    /// The number of bytes received since `countedSince`.
    package var receivedBytes: Int64?
    /// The number of messages stored since `countedSince`, by the raw value of their kind.
    package var received: [String: Int64]?
    /// The times of the commits since `countedSince`.
    package var commits: CommitTimes?
    /// The number of rooms that can't be joined, or whose history is unavailable.
    package var troubledRooms: Int64?
    /// The progress of fetching history; nil if none is being fetched.
    package var backfill: BackfillProgress?
    /// The state of its copy in the shared archive; nil without one.
    package var shared: ReplicationLag?
    /// The state of its retention rules; nil without a listener.
    package var retention: RetentionStatus?
    /// The end of the server's rule to connect only by TLS, if only the server demands it; nil if there is none.
    package var tlsUntil: Timestamp?
    /// False if the account is no longer in the configuration; nil if that is unknown, or the account was imported. Not
    /// a part of the listener's answer.
    package var isConfigured: Bool?

    package init(
        account: String, network: String, state: State, since: Timestamp? = nil, lastSignOfLife: Timestamp? = nil,
        lastMessage: MessageID? = nil, messages: Int64 = 0, openGaps: Int64 = 0, failures: Int64 = 0,
        lastError: String? = nil, nextTry: Timestamp? = nil
    ) {
        (self.account, self.network, self.state, self.since) = (account, network, state, since)
        (self.lastSignOfLife, self.lastMessage, self.messages) = (lastSignOfLife, lastMessage, messages)
        (self.openGaps, self.failures, self.lastError, self.nextTry) = (openGaps, failures, lastError, nextTry)
    }

    private enum CodingKeys: String, CodingKey {
        case account, network, state, since, messages, failures
        case lastSignOfLife = "last_sign_of_life"
        case lastMessage = "last_message"
        case openGaps = "open_gaps"
        case lastError = "last_error"
        case nextTry = "next_try"
        case lastByte = "last_byte"
        case lastEvent = "last_event"
        case lastCommit = "last_commit"
        case gapSeconds = "gap_seconds"
        case fileBytes = "file_bytes"
        case walBytes = "wal_bytes"
        case countedSince = "counted_since"
        case reconnects
        case receivedBytes = "received_bytes"
        case received, commits
        case troubledRooms = "troubled_rooms"
        case backfill, shared, retention
        case tlsUntil = "tls_until"
    }

    /// Writes every key; null for a missing value.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(account, forKey: .account)
        try container.encode(network, forKey: .network)
        try container.encode(state, forKey: .state)
        try container.encode(since, forKey: .since)
        try container.encode(lastSignOfLife, forKey: .lastSignOfLife)
        try container.encode(lastMessage, forKey: .lastMessage)
        try container.encode(messages, forKey: .messages)
        try container.encode(openGaps, forKey: .openGaps)
        try container.encode(failures, forKey: .failures)
        try container.encode(lastError, forKey: .lastError)
        try container.encode(nextTry, forKey: .nextTry)
        try container.encode(lastByte, forKey: .lastByte)
        try container.encode(lastEvent, forKey: .lastEvent)
        try container.encode(lastCommit, forKey: .lastCommit)
        try container.encode(gapSeconds, forKey: .gapSeconds)
        try container.encode(fileBytes, forKey: .fileBytes)
        try container.encode(walBytes, forKey: .walBytes)
        try container.encode(countedSince, forKey: .countedSince)
        try container.encode(reconnects, forKey: .reconnects)
        try container.encode(receivedBytes, forKey: .receivedBytes)
        try container.encode(received, forKey: .received)
        try container.encode(commits, forKey: .commits)
        try container.encode(troubledRooms, forKey: .troubledRooms)
        try container.encode(backfill, forKey: .backfill)
        try container.encode(shared, forKey: .shared)
        try container.encode(retention, forKey: .retention)
        try container.encode(tlsUntil, forKey: .tlsUntil)
    }
}
