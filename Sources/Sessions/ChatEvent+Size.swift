import ChatModel

extension [ChatEvent] {
    /// The approximate size of the events in memory, in bytes.
    package var approximateBytes: Int {
        reduce(0) { $0 + $1.approximateBytes }
    }
}

extension ChatEvent {
    /// An event's place in an array that was grown by doubling, and its copy in the batch that is stored.
    private static let fixedBytes = 3 * MemoryLayout<ChatEvent>.stride

    /// The approximate size of the event in memory, in bytes.
    package var approximateBytes: Int {
        Self.fixedBytes + contentBytes
    }

    private var contentBytes: Int {
        switch self {
        case .chunk(let chunk): chunk.bytes.count.onHeap
        case .message(let message, _): message.approximateBytes
        case .membersListed(let room, let users, _):
            users.reduce(room.approximateBytes) { $0 + MemoryLayout<UserReference>.stride + $1.approximateBytes }
        case .unfilled(let history, _): history.room.approximateBytes + history.detail.onHeap
        case .roomTroubled(let room, let trouble): room.approximateBytes + trouble.detail.onHeap
        case .reaction(let reaction):
            reaction.room.approximateBytes + reaction.sender.approximateBytes + reaction.text.onHeap
                + reaction.target.onHeap
        case .deleted(let deletion):
            deletion.room.approximateBytes + deletion.remoteID.onHeap + (deletion.retraction?.reason).onHeap
        case .unreadable(let event): event.payload.count.onHeap
        case .userRenamed(_, let key, let user, _): key.onHeap + user.approximateBytes
        case .userListed(let listing, _): listing.user.approximateBytes + listing.picture.onHeap
        case .roomRenamed(_, let key, let room, _): key.onHeap + room.approximateBytes
        case .roomListed(let listing, _):
            listing.room.approximateBytes + (listing.partner?.approximateBytes ?? 0)
                + (listing.workspace?.name).onHeap + (listing.workspace?.picture.value).onHeap
                + listing.description.value.onHeap + listing.owner.value.onHeap + listing.picture.value.onHeap
        case .roomLive(_, let room, _), .roomSilent(_, let room, _, _), .roomUncovered(let room, _),
            .roomUnlisted(let room, _, _), .covered(_, let room, _, _), .fetchedBack(let room, _),
            .fetched(let room, _):
            room.approximateBytes
        case .withdrawn(let time): time.bouncerRooms.reduce(time.room.approximateBytes) { $0 + 16 + $1.onHeap }
        case .read(let room, let id, _): room.approximateBytes + id.onHeap
        case .fetching(let room, let place): room.approximateBytes + place.place.onHeap
        case .reached(let place): place.onHeap
        case .parsed, .signOfLife, .sessionOpened, .receiptOffset, .networkClock, .sessionEnded, .waiting: 0
        }
    }
}

extension IncomingMessage {
    fileprivate var approximateBytes: Int {
        let files = attachments.reduce(0) { $0 + 16 + $1.onHeap }
        return room.approximateBytes + (sender?.approximateBytes ?? 0) + body.onHeap + remoteID.onHeap
            + replyTo.onHeap + (raw?.count.onHeap ?? 0) + files
    }
}

extension RoomReference {
    fileprivate var approximateBytes: Int { key.onHeap + name.onHeap }
}

extension UserReference {
    fileprivate var approximateBytes: Int { key.onHeap + name.onHeap }
}

extension Int {
    /// The size in memory of an allocation with this number of bytes: the header of an array or a string has 32 bytes,
    /// and malloc's has 16.
    fileprivate var onHeap: Int { self + 48 }
}

extension String {
    /// The size of the string's allocation; 0 for a string of at most 15 bytes, which has none.
    fileprivate var onHeap: Int { utf8.count > 15 ? utf8.count.onHeap : 0 }
}

extension String? {
    fileprivate var onHeap: Int { self?.onHeap ?? 0 }
}
