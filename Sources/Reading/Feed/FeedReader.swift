import Accounts
import ChatModel
import Records
import Schema

/// Reads changes of one account's feed with the present states of their subjects.
struct FeedReader {
    let reader: AccountReader
    let names: MessageQuery.Names

    private var account: AccountIdentity { reader.account }

    /// The subjects of a batch that aren't messages, each read once.
    private struct States {
        var users: [Int64: User] = [:]
        var rooms: [Int64: (room: Room, gaps: [Gap])] = [:]
    }

    private struct Row {
        let seq: Int64
        let kind: FeedChange.Kind
        let subject: Int64

        var user: Int64? { kind == .names && subject > 0 ? subject : nil }
        var room: Int64? { kind == .coverage ? subject : kind == .names && subject <= 0 ? -subject : nil }
    }

    /// Returns the changes in `after < seq <= through` that the reader may see, in commit order. The people of an
    /// account can be seen only with all of it.
    func changes(after: FeedPosition, through: Int64, _ db: ReadTransaction) throws -> [FeedChange] {
        let rows = try rows(after: after.seq, through: through, db)
        let pages = PageReader(
            account: account, query: try MessageQuery(scope: .accounts([account.name]), names: names))
        let messages = try pages.changed(after: after.seq, through: through, whose: Feed.messageCodes, db)
        let bySeq = Dictionary(messages.map { ($0.seq, $0.message) }, uniquingKeysWith: { first, _ in first })
        let states = try states(of: rows, db)
        return rows.map { row in
            let subject: FeedChange.Subject =
                if let user = row.user {
                    .user(user, states.users[user])
                } else if let room = row.room {
                    .room(room, states.rooms[room]?.room, gaps: states.rooms[room]?.gaps ?? [])
                } else {
                    .message(MessageID(microseconds: row.subject), bySeq[row.seq])
                }
            return FeedChange(
                kind: row.kind, account: account.name,
                position: FeedPosition(epoch: after.epoch, seq: row.seq), subject: subject)
        }.filter { Self.sees($0, db) }
    }

    private static func sees(_ change: FeedChange, _ db: ReadTransaction) -> Bool {
        guard db.rooms != nil else { return true }
        return switch change.subject {
        case .message, .room: change.room.map(db.sees) ?? false
        case .user: false
        case .account: true
        }
    }

    private func rows(after: Int64, through: Int64, _ db: ReadTransaction) throws -> [Row] {
        try db.all(
            """
            SELECT seq, what, subject_id FROM change
            WHERE seq > ?1 AND seq <= ?2 AND what IN \(Feed.followedCodes) ORDER BY seq
            """,
            [.integer(after), .integer(through)]
        ) { row in
            try Row(seq: row.integer(0), kind: FeedChange.Kind(code: row.integer(1)), subject: row.integer(2))
        }
    }

    private func states(of rows: [Row], _ db: ReadTransaction) throws -> States {
        let (users, rooms) = (Set(rows.compactMap(\.user)), Set(rows.compactMap(\.room)))
        var states = States()
        if !users.isEmpty {
            for user in try User.readAll(account, ids: users.sorted(), db) { states.users[user.id] = user }
        }
        if !rooms.isEmpty {
            let gaps = reader.gapReader
            for room in try Room.readAll(account, ids: rooms.sorted(), isForList: false, db) {
                states.rooms[room.id] = (room, try newestGaps(of: room, gaps, db))
            }
        }
        return states
    }

    private func newestGaps(of room: Room, _ gaps: GapReader, _ db: ReadTransaction) throws -> [Gap] {
        let lower = try db.integer(
            "SELECT from_us FROM coverage WHERE room_id = ?1 ORDER BY from_us DESC LIMIT 1 OFFSET ?2",
            [.integer(room.id), .integer(Int64(FeedChange.gaps))])
        return try gaps.gaps(rooms: [room.id], from: lower ?? .min, db).suffix(FeedChange.gaps)
    }
}

extension FeedChange.Kind {
    fileprivate init(code: Int64) throws {
        switch code {
        case Feed.messageCode: self = .stored
        case Feed.coverageCode: self = .coverage
        case Feed.nameCode, Feed.forgottenUserCode: self = .names
        case Feed.editCode: self = .edited
        case Feed.deleteCode: self = .deleted
        case Feed.reactionCode: self = .reactions
        case Feed.fileCode: self = .attachment
        case Feed.forgottenCode: self = .forgotten
        default:
            throw Columns.damage("the feed has a change of unknown kind \(code)")
        }
    }
}
