import Archive
package import ChatModel
package import Writing

/// A change to an account's file. The listener that has the file open makes the change, or else the command itself.
package enum StoreChange: Sendable, Hashable {
    /// Marks everything in the rooms up to a message as read; nil for everything.
    case markRead(account: String, rooms: [Int64], through: MessageID?)
    /// Stores lines, as read or as unread. A repetition is harmless, because the lines are then known.
    case importLines(account: String, [ImportedLine], isUnread: Bool)
    /// Adds one batch of older messages to the search index; `rebuild` starts the index from scratch.
    case indexStep(account: String, rebuild: Bool)
    /// Requests the files that aren't here, of all rooms or one, of messages within a time.
    case requestAttachments(account: String, AttachmentRequest)
    /// Does one step of applying retention rules, from a place on.
    case purge(account: String, RetentionRules, from: PurgePlace?)
    case hold(account: String, Hold)
    case release(account: String, hold: String)
    /// Does one step of forgetting, from a place on.
    case forget(account: String, Forgetting, from: ForgettingPlace?)
    /// Does one step of erasing a room, by its number, from a place on.
    case eraseRoom(account: String, Int64, from: ErasingPlace?)
    /// Does one step of a merge, from a place on.
    case merge(account: String, Merging, from: MergingPlace?)
    /// Replaces the names of the account's own person that the configuration or a command gave.
    case setOwnNames(account: String, [String], from: OwnNameSource)
    /// Does one step of making a bridge, or of undoing one, from a place on.
    case bridge(account: String, Bridging, from: MergingPlace?)
    /// Removes those of an import's files, by their SHA-256, that no message has.
    case dropFiles(account: String, [String])

    package var account: String {
        switch self {
        case .markRead(let account, _, _), .importLines(let account, _, _), .indexStep(let account, _),
            .requestAttachments(let account, _), .purge(let account, _, _), .hold(let account, _),
            .release(let account, _), .forget(let account, _, _), .eraseRoom(let account, _, _),
            .merge(let account, _, _), .bridge(let account, _, _), .setOwnNames(let account, _, _),
            .dropFiles(let account, _):
            account
        }
    }

    package func apply(to writer: AccountWriter) async throws -> StoreOutcome {
        switch self {
        case .markRead(_, let rooms, let through):
            try await writer.markRead(rooms: rooms, through: through, at: .now())
            return StoreOutcome()
        case .importLines(_, let lines, let isUnread):
            return StoreOutcome(imported: try await writer.importLines(lines, marksRead: !isUnread, at: .now()))
        case .indexStep(_, let rebuild):
            return StoreOutcome(indexed: try await writer.indexStep(rebuild: rebuild))
        case .requestAttachments(_, let request):
            return StoreOutcome(
                requested: try await writer.requestAttachments(
                    room: request.room, after: request.after, before: request.before, limit: request.limit))
        case .purge(_, let rules, let place):
            return StoreOutcome(purged: try await writer.retention.purge(rules, from: place, at: .now()))
        case .hold(_, let hold):
            try await writer.retention.setHold(hold)
            return StoreOutcome()
        case .release(_, let name):
            return StoreOutcome(isReleased: try await writer.retention.removeHold(named: name))
        case .forget(_, let request, let place):
            return StoreOutcome(forgotten: try await writer.retention.forget(request, from: place, at: .now()))
        case .eraseRoom(_, let room, let place):
            return StoreOutcome(erased: try await writer.retention.erase(room: room, from: place, at: .now()))
        case .merge(_, let request, let place):
            return StoreOutcome(merged: try await writer.merge(request, from: place, at: .now()))
        case .setOwnNames(_, let names, let source):
            try await writer.setOwnNames(names, from: source)
            return StoreOutcome()
        case .bridge(_, let request, let place):
            return StoreOutcome(merged: try await writer.bridge(request, from: place, at: .now()))
        case .dropFiles(_, let files):
            return StoreOutcome(dropped: try await writer.dropUnused(files: files))
        }
    }
}

/// The further result of a change.
package struct StoreOutcome: Sendable, Hashable, Codable {
    /// The tally of stored lines; nil for other changes.
    package var imported: ImportTally?
    /// The progress of the search index; nil for other changes.
    package var indexed: IndexProgress?
    /// The number of requested files that are still missing; nil for other changes.
    package var requested: Int?
    /// The progress of applying rules; nil for other changes.
    package var purged: PurgeProgress?
    /// True if there was a hold to remove; nil for other changes.
    package var isReleased: Bool?
    /// The progress of forgetting; nil for other changes.
    package var forgotten: ForgettingProgress?
    /// The progress of erasing a room; nil for other changes.
    package var erased: ErasingProgress?
    /// The progress of a merge or of a bridge; nil for other changes.
    package var merged: MergingProgress?
    /// The hashes of the removed files; nil for other changes.
    package var dropped: [String]?

    private enum CodingKeys: String, CodingKey {
        case imported, indexed, purged, forgotten, erased, merged, dropped
        case isReleased = "released"
        case requested = "asked"
    }
}

/// The files that are requested.
package struct AttachmentRequest: Sendable, Hashable, Codable {
    /// The number of the room; nil for all.
    package var room: Int64?
    /// The message after which files are requested, excluded; nil for no limit.
    package var after: MessageID?
    /// The message before which files are requested, excluded; nil for no limit.
    package var before: MessageID?
    /// The largest file in bytes, when the configuration sets a limit.
    package var limit: Int64?

    package init(room: Int64? = nil, after: MessageID? = nil, before: MessageID? = nil, limit: Int64? = nil) {
        (self.room, self.after, self.before, self.limit) = (room, after, before, limit)
    }
}
