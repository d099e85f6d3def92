import Bytes
package import LogFormats

/// Reads an answer to `/sync` room by room (client-server API v1.11, 10.4), wherever its bytes are split.
package struct MatrixSync {
    /// The part of a sync that is about one room.
    package struct Room: Sendable, Hashable {
        package enum Section: String, Sendable { case join, leave, invite, knock }

        package var section: Section
        package var id: String
        /// The state before the timeline, in no order.
        package var state: [Event] = []
        package var timeline: [Event] = []
        /// True if there are events between the last sync and the timeline.
        package var isLimited = false
        /// The token from which to read the events before the timeline; nil if there are none.
        package var previousBatch: String?
        /// The ids of some members, for a room without a name.
        package var heroes: [String] = []
        /// The receipts of what people have read.
        package var receipts: [Event] = []
        /// The server's count of unread messages; nil if it does not send one.
        package var unread: Int?
    }

    /// The bytes of an event; nil for one that is too long, with its length.
    package struct Event: Sendable, Hashable {
        package var bytes: [UInt8]?
        package var length: Int
        /// The same event without its encryption; nil while it has none or its key is missing.
        package var opened: MatrixEvent?

        package init(bytes: [UInt8]?, length: Int) { (self.bytes, self.length) = (bytes, length) }
    }

    package enum Item: Sendable, Hashable {
        case room(Room)
        /// A setting of the account, with its type.
        case accountData(Event)
        /// The token of the next sync. The last item.
        case next(String)
    }

    /// 1 MiB: an event has at most 64 KiB, and the facts that a server adds to it.
    package static let eventBytes = 1 << 20
    /// The limit of events of one room that are read; the filter asks for fewer.
    private static let events = 20_000
    /// The limit of people by whom a room without a name is named. Homeservers list five.
    private static let heroes = 100
    /// The limit of bytes of one room that are read.
    private static let roomBytes = 12 << 20

    private var splitter: JSONSplitter
    private var room: Room?
    private var roomBytes = 0
    /// True if some of the room's events did not fit.
    private var isCut = false
    private var next: String?

    package init() {
        let events = JSONSplitter.Places.members(["events": .elements(.value(limit: Self.eventBytes))])
        let room = JSONSplitter.Places.members([
            "timeline": .members([
                "events": .elements(.value(limit: Self.eventBytes)), "limited": .value(limit: 8),
                "prev_batch": .value(limit: 4096),
            ]),
            "state": events, "invite_state": events, "knock_state": events,
            "summary": .members(["m.heroes": .elements(.value(limit: 1024))]), "ephemeral": events,
            "unread_notifications": .members(["notification_count": .value(limit: 32)]),
        ])
        let rooms = JSONSplitter.Places.members([:], others: room)
        splitter = JSONSplitter(
            .members([
                "next_batch": .value(limit: 4096), "account_data": events,
                "rooms": .members(["join": rooms, "leave": rooms, "invite": rooms, "knock": rooms]),
            ]))
    }

    /// Takes bytes, and returns the items that end in them.
    ///
    /// - Throws: ``MatrixFormError``
    package mutating func readItems(_ bytes: [UInt8]) throws(MatrixFormError) -> [Item] {
        var items: [Item] = []
        for piece in try splitter.splitPieces(bytes) { try take(piece, &items) }
        return items
    }

    /// Returns the last items.
    ///
    /// - Throws: ``MatrixFormError`` for an answer that is incomplete or has no token.
    package mutating func finish() throws(MatrixFormError) -> [Item] {
        guard splitter.isComplete, let next else {
            throw MatrixFormError(detail: "the answer to a sync is incomplete")
        }
        return flush() + [.next(next)]
    }

    private mutating func take(_ piece: JSONSplitter.Piece, _ items: inout [Item]) throws(MatrixFormError) {
        switch piece.path.first {
        case "next_batch": next = piece.bytes.flatMap(JSONText.string)
        case "account_data": items += [.accountData(Event(bytes: piece.bytes, length: piece.length))]
        default:
            guard piece.path.count > 3, let section = Room.Section(rawValue: piece.path[1]) else { return }
            if room?.id != piece.path[2] || room?.section != section {
                items += flush()
                room = Room(section: section, id: piece.path[2])
            }
            roomBytes += piece.length
            add(piece)
        }
    }

    private mutating func add(_ piece: JSONSplitter.Piece) {
        let event = Event(bytes: piece.bytes, length: piece.length)
        switch (piece.path[3], piece.path.last) {
        case ("timeline", "events"):
            if let count = room?.timeline.count, count < Self.events, roomBytes <= Self.roomBytes {
                room?.timeline.append(event)
            } else {
                isCut = true
            }
        case ("timeline", "limited"): room?.isLimited = piece.bytes == Array("true".utf8)
        case ("timeline", "prev_batch"): room?.previousBatch = piece.bytes.flatMap(JSONText.string)
        case ("state", "events"), ("invite_state", "events"), ("knock_state", "events"):
            if let count = room?.state.count, count < Self.events, roomBytes <= Self.roomBytes {
                room?.state.append(event)
            }
        case ("ephemeral", "events"):
            if let count = room?.receipts.count, count < Self.events, roomBytes <= Self.roomBytes {
                room?.receipts.append(event)
            }
        case ("unread_notifications", _):
            room?.unread = piece.bytes.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        case ("summary", _):
            if let count = room?.heroes.count, count < Self.heroes, let hero = piece.bytes.flatMap(JSONText.string) {
                room?.heroes.append(hero)
            }
        default: break
        }
    }

    private mutating func flush() -> [Item] {
        defer { (room, roomBytes, isCut) = (nil, 0, false) }
        // The events that do not fit are fetched from the end of the room's history.
        if isCut {
            room?.isLimited = true
            room?.previousBatch = nil
        }
        return room.map { [.room($0)] } ?? []
    }
}

/// Reads an answer to `/messages` (10.5): events from the newest to the oldest, or the other way.
package struct MatrixMessages {
    private var splitter = JSONSplitter(
        .members([
            "chunk": .elements(.value(limit: MatrixSync.eventBytes)),
            "state": .elements(.value(limit: MatrixSync.eventBytes)),
            "end": .value(limit: 4096),
        ]))

    package var events: [MatrixSync.Event] = []
    /// The members that the events are by, as state events.
    package private(set) var state: [MatrixSync.Event] = []
    /// The token with which the next call continues; nil at the end.
    package private(set) var end: String?

    package init() {}

    /// - Throws: ``MatrixFormError``
    package mutating func readPart(_ bytes: [UInt8]) throws(MatrixFormError) {
        for piece in try splitter.splitPieces(bytes) {
            let event = MatrixSync.Event(bytes: piece.bytes, length: piece.length)
            switch piece.path.first {
            case "chunk": events.append(event)
            case "state": state.append(event)
            default: end = piece.bytes.flatMap(JSONText.string)
            }
        }
    }

    package var isComplete: Bool { splitter.isComplete }
}
