import Records
import Schema

/// The subjects of consecutive changes of an account's feed, each once.
struct MirrorChanges {
    /// The number of the last change; nil if there is none.
    var through: Int64?
    /// Messages, by whether something else than their storing changed.
    var messages: [Int64: Bool] = [:]
    var coverage: Set<Int64> = []
    var roomNames: Set<Int64> = []
    var userNames: Set<Int64> = []
    var mergedRooms: Set<Int64> = []
    var mergedUsers: Set<Int64> = []
    var sessions: Set<Int64> = []
    var members: Set<Int64> = []
    var forgottenMessages: [Int64] = []
    var forgottenUsers: Set<Int64> = []

    init(after: Int64, count: Int, bytes maximum: Int, _ db: ReadTransaction) throws {
        var bytes: Int64 = 0
        _ = try db.first(
            """
            SELECT seq, what, subject_id,
              (SELECT coalesce(\(.bytes(of: "body")), 0) FROM message
                WHERE id = subject_id AND what IN \(Feed.subjectMessageCodes))
            FROM change WHERE seq > ?1 ORDER BY seq LIMIT ?2
            """, [.integer(after), .integer(Int64(count))]
        ) { row -> Void? in
            through = try row.integer(0)
            bytes += try row.optionalInteger(3) ?? 0
            note(what: try row.integer(1), subject: try row.limit(2))
            return bytes < maximum ? nil : ()
        }
    }

    private mutating func note(what: Int64, subject: Int64) {
        switch what {
        case Feed.messageCode: messages[subject] = messages[subject] ?? false
        case Feed.coverageCode: coverage.insert(subject)
        case Feed.nameCode where subject > 0: userNames.insert(subject)
        case Feed.nameCode: roomNames.insert(-subject)
        case Feed.mergeCode where subject > 0: mergedUsers.insert(subject)
        case Feed.mergeCode: mergedRooms.insert(-subject)
        case Feed.sessionCode: sessions.insert(subject)
        case Feed.memberCode: members.insert(subject)
        case Feed.purgeCode: break
        case Feed.forgottenCode: forgottenMessages.append(subject)
        case Feed.forgottenUserCode: forgottenUsers.insert(subject)
        default: messages[subject] = true
        }
    }
}
