import GRDB

/// The change feed's writing side; with one writer, `seq` is commit order.
enum Feed {
    static let insertion = "INSERT INTO change (what, subject_id) VALUES (?, ?)"
    /// `what` of a stored message; the subject is its id.
    static let messageCode: Int64 = 0
    /// `what` of spans that began, ended or were split; the subject is the room.
    static let coverageCode: Int64 = 1

    static func coverage(roomID: Int64, _ db: Database) throws {
        try append(what: coverageCode, subject: roomID, db)
    }

    static func name(userID: Int64, _ db: Database) throws {
        try append(what: 2, subject: userID, db)
    }

    static func name(roomID: Int64, _ db: Database) throws {
        try append(what: 2, subject: -roomID, db)
    }

    private static func append(what: Int64, subject: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: insertion).execute(arguments: [what, subject])
    }
}
