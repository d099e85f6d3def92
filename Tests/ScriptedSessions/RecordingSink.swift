package import ChatModel
package import TestSupport

/// Keeps what it is given, and numbers sessions from 1.
package final class RecordingSink: EventSink {
    struct Cancelled: Error {}

    package struct State {
        package var batches: [[ChatEvent]] = []
        package var sessions: Int64 = 0
        package var events: [ChatEvent] { batches.flatMap { $0 } }
    }

    package let state = Watched(State())
    /// Called before a batch is kept.
    private let delay: @Sendable ([ChatEvent]) async throws -> Void

    package init(delay: @escaping @Sendable ([ChatEvent]) async throws -> Void = { _ in }) {
        self.delay = delay
    }

    package var events: [ChatEvent] { state.value.events }

    package func append(_ batch: [ChatEvent]) async throws -> [EventOutcome] {
        try await delay(batch)
        return state.change { state in
            state.batches.append(batch)
            return batch.map { event in
                guard case .sessionOpened = event else { return .done }
                state.sessions += 1
                return .new(state.sessions)
            }
        }
    }

    package func wait(for event: @escaping @Sendable (ChatEvent) -> Bool) async {
        await state.wait { $0.events.contains(where: event) }
    }

    /// The bodies of what was said and the names of who came and left, in order.
    package var messageTexts: [String] {
        events.compactMap { event in
            guard case .message(let message, .live) = event else { return nil }
            return switch message.kind {
            case .join: "+\(message.sender?.name ?? "")"
            case .leave: "-\(message.sender?.name ?? "")"
            default: "\(message.sender?.name ?? "*"): \(message.body ?? "")"
            }
        }
    }

    /// One word an event, in order.
    package var shape: [String] {
        events.map { event in
            switch event {
            case .sessionOpened: "opened"
            case .receiptOffset(_, let offset): "ahead \(offset.ahead)"
            case .networkClock(_, let lead): "clock \(lead)"
            case .roomLive: "live"
            case .chunk: "chunk"
            case .parsed(_, let offset): "parsed \(offset)"
            case .message(let message, .live): message.kind.rawValue
            case .message(_, .edit): "edited"
            case .message(_, .snapshot): "snapshot"
            case .message(let message, .replay): "replayed \(message.kind.rawValue)"
            case .message(_, .standing): "topic"
            case .roomSilent(_, _, _, let reason): "silent \(reason.rawValue)"
            case .withdrawn(let time): "\(time.room.key) unproven"
            case .roomUncovered(let room, _): "\(room.key) uncovered"
            case .covered: "covered"
            case .fetchedBack: "asked back"
            case .roomListed(let listing, _): "room \(listing.room.name)"
            case .roomRenamed(_, let key, let room, _): "\(key) is \(room.name)"
            case .roomUnlisted(let room, let isGone, _): "\(room.name) \(isGone ? "gone" : "left")"
            case .userListed(let listing, _): "user \(listing.user.name)"
            case .membersListed(_, let users, _): "members \(users.count)"
            case .deleted: "deleted"
            case .reaction(let reaction): "\(reaction.isRemoved ? "takes back" : "reacts") \(reaction.text)"
            case .reached(let place): "reached \(place)"
            case .read(let room, let id, _): "read \(room.key) \(id)"
            case .fetching(let room, let place): "fetching \(room.key) \(place.place)"
            case .fetched(let room, _): "fetched \(room.key)"
            case .signOfLife: "alive"
            case .sessionEnded(_, _, let reason, _): "ended \(reason.rawValue)"
            case .waiting(let attempts, _): "waiting \(attempts)"
            case .userRenamed: "renamed"
            case .unreadable: "unreadable"
            case .unfilled(let history, _): "unfilled \(history.reason.rawValue)"
            case .roomTroubled(let room, let trouble): "\(room.name) \(trouble.reason.rawValue)"
            }
        }
    }
}
