extension ImportedMessage {
    /// Returns the first of its times that is implausible at `now`; nil if none is. Ignores the time that the network
    /// claimed, because the message's place counts instead.
    package func impossibleTime(at now: Timestamp) -> Timestamp? {
        let place = place ?? time
        guard place.isPlausible(at: now) else { return place }
        // Most messages have no other times, and need no list of them.
        return hasOtherTimes ? otherTimes.first { !$0.isPlausible(at: now) } : nil
    }

    private var hasOtherTimes: Bool {
        receivedAt != nil || editedAt != nil || deletedAt != nil || exact != nil || !versions.isEmpty
            || !reactions.isEmpty
    }

    private var otherTimes: [Timestamp] {
        let own = [receivedAt, editedAt, deletedAt].compactMap(\.self)
        let otherInstants = versions.map(\.at) + reactions.compactMap(\.at)
        guard let exact else { return own + otherInstants }
        return own + otherInstants + exact.versions.map(\.at) + exact.reactions.flatMap(\.times)
            + [exact.sender?.former?.firstSeen].compactMap(\.self)
    }
}

extension ExactMessage.Reaction {
    fileprivate var times: [Timestamp] { [at, removedAt, user.former?.firstSeen].compactMap(\.self) }
}

extension ArchiveRecord {
    /// Returns the first of its times that is implausible at `now`; nil if none is.
    package func impossibleTime(at now: Timestamp) -> Timestamp? {
        times.first { !$0.isPlausible(at: now) }
    }

    private var times: [Timestamp] {
        switch self {
        case .account(let record): [record.createdAt]
        case .workspace(let record): (record.names + record.pictures).flatMap(\.times)
        case .user(let record): (record.names + record.pictures).flatMap(\.times)
        case .room(let record):
            (record.names + record.pictures + record.descriptions).flatMap(\.times) + record.owners.flatMap(\.times)
                + [record.partner?.former?.firstSeen, record.leftAt, record.goneAt, record.fetchedBackTo]
                .compactMap(\.self)
        case .membership(let record):
            [record.user.former?.firstSeen, record.joinedAt, record.leftAt].compactMap(\.self)
        case .coverage(let record), .importedSpan(let record): [record.from, record.to]
        case .gapNote(let record): [record.from]
        case .readMarker(let record): [record.through.time, record.setAt]
        case .retraction(let record): [record.at] + [record.user?.former?.firstSeen].compactMap(\.self)
        case .reaction(let record): record.reaction.times
        case .failure(let record): [record.firstAt, record.lastAt]
        }
    }
}

extension OwnerSpan {
    fileprivate var times: [Timestamp] { [firstSeen, lastSeen, user.former?.firstSeen].compactMap(\.self) }
}

extension NameSpan {
    fileprivate var times: [Timestamp] { [firstSeen] + [lastSeen].compactMap(\.self) }
}
