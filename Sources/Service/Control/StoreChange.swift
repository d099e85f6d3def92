import Archive
package import ChatModel

/// What a command writes into an account's file: done by the listener that holds the file, or by the command itself.
package enum StoreChange: Sendable, Hashable {
    /// Everything stored in the room up to a message has been read; nil is all of it.
    case markRead(account: String, room: Int64, through: MessageID?)
    /// Storing lines twice does no harm: they are known the second time.
    case importLines(account: String, [ImportedLine])
    /// One batch of older messages into the search index, which may be begun anew.
    case indexStep(account: String, anew: Bool)
    /// The files that are not here are waited for, of all rooms or one, of messages within a time.
    case askForAttachments(account: String, AttachmentAsking)

    var account: String {
        switch self {
        case .markRead(let account, _, _), .importLines(let account, _), .indexStep(let account, _),
            .askForAttachments(let account, _):
            account
        }
    }

    func apply(to writer: AccountWriter) async throws -> StoreOutcome {
        switch self {
        case .markRead(_, let room, let through):
            try await writer.markRead(room: room, through: through, at: .now())
            return StoreOutcome()
        case .importLines(_, let lines):
            return StoreOutcome(imported: try await writer.importLines(lines, at: .now()))
        case .indexStep(_, let anew):
            return StoreOutcome(indexed: try await writer.indexStep(anew: anew))
        case .askForAttachments(_, let asking):
            return StoreOutcome(
                asked: try await writer.askForAttachments(
                    room: asking.room, after: asking.after, before: asking.before, limit: asking.limit))
        }
    }
}

/// What became of a change, where there is more to tell than that it is done.
package struct StoreOutcome: Sendable, Hashable, Codable {
    package var imported: ImportTally?
    package var indexed: IndexProgress?
    /// How many files are waited for.
    var asked: Int?
}

/// Which files somebody waits for.
package struct AttachmentAsking: Sendable, Hashable, Codable {
    /// Nil for all.
    package var room: Int64?
    package var after: MessageID?
    package var before: MessageID?
    /// Bytes of one, where the configuration says so.
    package var limit: Int64?

    package init(room: Int64? = nil, after: MessageID? = nil, before: MessageID? = nil, limit: Int64? = nil) {
        self.room = room
        self.after = after
        self.before = before
        self.limit = limit
    }
}
