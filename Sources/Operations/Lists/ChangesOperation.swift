package import ChatModel
package import Options
package import Reading
import Rendering

/// The changes of an account since a position of its feed.
package struct ChangesOperation: ArchiveOperation {
    package var account: String?
    /// Nil for the end of the feed: there are no changes yet, and the answer has the position.
    package var position: FeedPosition?
    package var room: String?
    package var limit: Int
    package var names: MessageQuery.Names

    package static let parameters: [Parameter] = [
        Parameter("account", .text, "The account; needed if there are several."),
        .position,
        .room, .limit, .names,
    ]

    package init(_ parameters: OperationParameters) throws {
        (account, room) = (parameters.text("account"), parameters.text("room"))
        limit = parameters.number("limit") ?? MessageQuery.defaultLimit
        names = parameters.choice("names") ?? .then
        position = try parameters.text("after").map(FeedPosition.init(parameter:))
    }

    package func answer(in reading: ArchiveReading, _ context: OperationContext) throws -> OperationAnswer {
        let account = try onlyAccount(in: reading)
        var wanted: Int64?
        if let room { wanted = try RoomResolver.room(room, accounts: [account], in: reading).id }
        let end = try reading.feeds.end(of: account)
        guard var position else { return Self.answer([], end, hasMore: false) }
        try position.check(for: account, in: reading)
        var (found, hasMore) = ([FeedChange](), false)
        var feed = reading.feeds.changes(of: [account], after: position, names: names)
        reading: while let changes = try feed.next() {
            for change in changes {
                if found.count == limit {
                    hasMore = true
                    break reading
                }
                position = change.position
                if change.isOf(room: wanted) { found.append(change) }
            }
        }
        // The last changes may be of rooms that the asker does not see.
        if !hasMore, position.epoch != end.epoch || position.seq < end.seq { position = end }
        return Self.answer(found, position, hasMore: hasMore)
    }

    private static func answer(_ changes: [FeedChange], _ position: FeedPosition, hasMore: Bool) -> OperationAnswer {
        OperationAnswer(
            .object([
                "changes": .array(changes.map { JSONValue($0) }), "position": .string(position.description),
                "more": .bool(hasMore),
            ]))
    }

    /// Returns the named account, or the only one.
    private func onlyAccount(in reading: ArchiveReading) throws -> String {
        let known = try reading.accounts().map(\.name)
        if let account {
            try RoomSelection.requireKnown([account], among: known, folder: reading.folder)
            return account
        }
        guard known.count == 1 else {
            throw UsageError(
                known.isEmpty
                    ? "the archive has no account"
                    : "--account is missing; the accounts are: \(known.map(Sanitizer.line).joined(separator: ", "))")
        }
        return known[0]
    }
}

extension FeedChange {
    /// Returns true for a change of a room or its messages, and for a reset.
    fileprivate func isOf(room wanted: Int64?) -> Bool {
        guard let wanted else { return true }
        return kind == .reset || room == wanted
    }
}
