/// How an account is doing: what the file tells, and what the listener adds while it runs.
package struct AccountStatus: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Hashable, Codable {
        /// Connected, and the peer was heard of lately.
        case connected
        case connecting
        /// Between two attempts; `next_try` says until when.
        case waiting
        /// Its name, password or key is not accepted, or has expired: a person has to mend that. Its archive can be read.
        case needsLogin = "needs_login"
        /// No listener runs for it.
        case offline
        /// It will not be tried again until the configuration changes.
        case failed
    }

    package var account: String
    package var network: String
    package var state: State
    /// Since when it has been in `state`, as far as known.
    package var since: Timestamp?
    package var lastSignOfLife: Timestamp?
    package var lastMessage: MessageID?
    package var messages: Int64
    /// Gaps that have an end, and the current one.
    package var openGaps: Int64
    /// Events kept as failures.
    package var failures: Int64
    package var lastError: String?
    package var nextTry: Timestamp?
    /// When bytes of the network were received last.
    package var lastByte: Timestamp?
    /// When the newest of what is stored was received.
    package var lastEvent: Timestamp?
    /// When a batch was last on disk; nil without a listener.
    package var lastCommit: Timestamp?
    /// The length of all gaps, the current ones up to now, in whole seconds; nil where the file can't be read.
    package var gapSeconds: Int64?
    /// The size of the account's file, its log left out; nil where there is none.
    package var fileBytes: Int64?
    /// The size of the file's write-ahead log.
    package var walBytes: Int64?
    /// Since when the listener has counted what follows; nil without one.
    package var countedSince: Timestamp?
    /// Connections after the first.
    package var reconnects: Int64?
    package var receivedBytes: Int64?
    /// Messages that were stored, by their kind's name.
    package var received: [String: Int64]?
    package var commits: CommitTimes?
    /// Rooms that can't be joined, or whose history can't be had.
    package var troubledRooms: Int64?
    /// How far the asking for history has come; nil where none is asked for.
    package var backfill: BackfillProgress?

    package init(
        account: String, network: String, state: State, since: Timestamp?, lastSignOfLife: Timestamp?,
        lastMessage: MessageID?, messages: Int64, openGaps: Int64, failures: Int64, lastError: String?,
        nextTry: Timestamp?
    ) {
        self.account = account
        self.network = network
        self.state = state
        self.since = since
        self.lastSignOfLife = lastSignOfLife
        self.lastMessage = lastMessage
        self.messages = messages
        self.openGaps = openGaps
        self.failures = failures
        self.lastError = lastError
        self.nextTry = nextTry
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
        case backfill
    }

    /// Every key is always there, null where there is nothing.
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
    }
}
