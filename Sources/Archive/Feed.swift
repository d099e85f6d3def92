import GRDB

/// The change feed's writing side; with one writer, `seq` is commit order.
enum Feed {
    static func message(_ id: Int64, _ db: Database) throws {
        try append(what: 0, subject: id, db)
    }

    static func coverage(roomID: Int64, _ db: Database) throws {
        try append(what: 1, subject: roomID, db)
    }

    static func name(userID: Int64, _ db: Database) throws {
        try append(what: 2, subject: userID, db)
    }

    static func name(roomID: Int64, _ db: Database) throws {
        try append(what: 2, subject: -roomID, db)
    }

    private static func append(what: Int64, subject: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT INTO change (what, subject_id) VALUES (?, ?)")
            .execute(arguments: [what, subject])
    }
}
