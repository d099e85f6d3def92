package import ChatModel
package import Options
package import Reading

/// A page of the history of a room, of several, or of accounts.
package struct HistoryOperation: ArchiveOperation {
    package var selection: RoomSelection
    package var place: TimePlace
    package var limit: Int
    package var hides: Set<HiddenMessages.Choice>
    package var names: MessageQuery.Names

    package init(
        selection: RoomSelection, place: TimePlace, limit: Int, hides: Set<HiddenMessages.Choice>,
        names: MessageQuery.Names
    ) {
        (self.selection, self.place, self.limit) = (selection, place, limit)
        (self.hides, self.names) = (hides, names)
    }

    package static let parameters: [Parameter] = [
        .room, .accountsOfRoom, .after, .before, .around, .between, .day, .oldest, .unread, .limit, .hide, .names,
        .cold,
    ]

    package init(_ parameters: OperationParameters) throws {
        self.init(
            selection: parameters.selection,
            place: TimePlace(
                bounds: parameters.bounds, around: parameters.text("around"), between: parameters.texts("between"),
                day: parameters.text("day"), isOldest: parameters.has("oldest"), isUnread: parameters.has("unread")),
            limit: parameters.number("limit") ?? MessageQuery.defaultLimit,
            hides: parameters.hidden, names: parameters.choice("names") ?? .then)
        guard !place.isUnread || selection.room != nil else { throw UsageError("--unread needs --room") }
    }

    /// Returns the selected rooms and the query; nil if the archive has no account.
    ///
    /// The query of an unread room begins at its beginning: ``atMarker(_:in:)`` moves it.
    package func query(
        in reading: ArchiveReading, _ context: OperationContext
    ) throws -> (selected: RoomSelection.Selected, query: MessageQuery)? {
        let anchor = try place.anchor(zone: context.zone, now: context.now)
        guard let selected = try selection.resolve(in: reading) else { return nil }
        let query = try MessageQuery(
            scope: selected.scope, anchor: anchor, limit: limit, hidden: context.hidden(hides, in: reading),
            names: names)
        return (selected, query)
    }

    /// Returns the query from the room's read marker on, with the room's unread state; the query itself if the room
    /// does not exist.
    package static func atMarker(
        _ query: MessageQuery, in reading: ArchiveReading
    ) throws -> (query: MessageQuery, unread: UnreadRoom?) {
        guard let room = query.scope.onlyRoom else { throw UsageError("--unread takes one room") }
        guard let unread = try reading.unread(account: room.account, room: room.id).first else {
            return (query, nil)
        }
        return (try query.with(anchor: .after(unread.marker)), unread)
    }

    package func page(in reading: ArchiveReading, _ context: OperationContext) throws -> Page {
        guard let (_, query) = try query(in: reading, context) else {
            return Page(messages: [], older: nil, newer: nil, gaps: [])
        }
        return try reading.page(place.isUnread ? Self.atMarker(query, in: reading).query : query)
    }

    package func answer(in reading: ArchiveReading, _ context: OperationContext) throws -> OperationAnswer {
        var answer = OperationAnswer(try page(in: reading, context))
        answer.limit = try place.limit(zone: context.zone, now: context.now)
        return answer
    }
}
