import ChatModel
import Sessions

/// A question for the archive, which is answered before any request to the server.
enum IRCLookup: Sendable, Hashable {
    /// - Parameter retriesLost: True if a person requests history, also such as the server did not have before.
    case room(RoomReference, retriesLost: Bool)
    /// All known conversations.
    case directRooms([RoomReference])
    /// The newest messages of a room, at most `limit`.
    case lastMessages(RoomReference, limit: Int)

    /// The archive's answer.
    enum Answer: Sendable {
        case room(KnownRoom)
        /// - Parameter complete: The time up to which all messages to the account are archived; nil in a new archive.
        case directRooms([KnownRoom], complete: Timestamp?)
        /// The newest messages of a room, newest first.
        case lastMessages(RoomReference, [StoredPoint])
    }

    struct KnownRoom: Sendable {
        var room: RoomReference
        /// The start of the missing history; nil if the room was never archived.
        var start: HistoryStart?
    }

    func answer(from archive: any ListenerState) async throws -> Answer {
        func known(_ room: RoomReference, retriesLost: Bool = false) async throws -> KnownRoom {
            KnownRoom(room: room, start: try await archive.historyStart(room: room, retriesLost: retriesLost))
        }
        switch self {
        case .room(let room, let retriesLost): return .room(try await known(room, retriesLost: retriesLost))
        case .directRooms(let rooms):
            var directRooms: [KnownRoom] = []
            for room in rooms { directRooms.append(try await known(room)) }
            return .directRooms(directRooms, complete: try await archive.firstSessionEnd())
        case .lastMessages(let room, let limit):
            return .lastMessages(room, try await archive.lastMessages(room: room, limit: limit))
        }
    }
}
