import FoundationEssentials

/// Reads an answer with the sessions of a backup, of all rooms (`/room_keys/keys`) or of one (`/room_keys/keys/ROOM`), session
/// by session, wherever its bytes are split.
package struct BackedUpSessions: Sendable {
    /// A session, or nothing for one that can't be read.
    package struct Item: Sendable, Hashable {
        package var place: MatrixKeyFile.Place
        package var session: BackedUpSession?
    }

    private var splitter: JSONSplitter
    /// The room of an answer for one room; nil for all.
    private let room: String?

    /// The limit of bytes of a session, which has 842.
    private static let sessionBytes = 64 << 10

    /// - Parameter room: The room of an answer for one room; nil for all.
    package init(room: String? = nil) {
        let sessions = JSONSplitter.Places.members([
            "sessions": .members([:], others: .value(limit: Self.sessionBytes))
        ])
        self.room = room
        splitter = JSONSplitter(room == nil ? .members(["rooms": .members([:], others: sessions)]) : sessions)
    }

    /// Takes bytes, and returns the sessions that end in them.
    ///
    /// - Throws: ``MatrixFormError``
    package mutating func readItems(_ bytes: [UInt8]) throws(MatrixFormError) -> [Item] {
        try splitter.splitPieces(bytes).compactMap { piece in
            guard let id = piece.path.last, piece.path.count == (room == nil ? 4 : 2) else { return nil }
            let session = piece.bytes.flatMap { try? JSONDecoder().decode(BackedUpSession.self, from: Data($0)) }
            return Item(place: MatrixKeyFile.Place(room: room ?? piece.path[1], session: id), session: session)
        }
    }

    /// True once the answer has ended.
    package var isComplete: Bool { splitter.isComplete }
}
