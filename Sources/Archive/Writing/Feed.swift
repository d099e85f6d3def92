import GRDB

/// Appends to the change feed. There is only one writer, so `seq` is the commit order.
enum Feed {
    static let insertion = "INSERT INTO change (what, subject_id) VALUES (?, ?)"
    /// `what` of a stored message; the subject is its id.
    static let messageCode: Int64 = 0
    /// `what` of spans that began, ended or were split; the subject is the room.
    static let coverageCode: Int64 = 1
    /// `what` of a stored message that got another text, one more version, a file or a reply; the subject is its id.
    static let editCode: Int64 = 3
    /// `what` of a stored message that was deleted or wiped; the subject is its id.
    static let deleteCode: Int64 = 4
    /// `what` of a stored message that got or lost a reaction; the subject is its id.
    static let reactionCode: Int64 = 5

    /// Records a message that is stored later than messages with higher ids. Call it directly after the message's row
    /// of `change` was inserted, because it takes `seq` from the last inserted row.
    static func late(room: Int64, messageID: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT INTO late (room_id, seq, message_id) VALUES (?, ?, ?)")
            .execute(arguments: [room, db.lastInsertedRowID, messageID])
    }

    static func coverage(roomID: Int64, _ db: Database) throws {
        try append(what: coverageCode, subject: roomID, db)
    }

    /// Appends a change of a user's names or pictures. The subject is the user's number.
    static func name(userID: Int64, _ db: Database) throws {
        try append(what: 2, subject: userID, db)
    }

    /// Appends a change of a room's names or facts. The subject is the negative of the room's number.
    static func name(roomID: Int64, _ db: Database) throws {
        try append(what: 2, subject: -roomID, db)
    }

    static func edit(messageID: Int64, _ db: Database) throws {
        try append(what: editCode, subject: messageID, db)
    }

    static func delete(messageID: Int64, _ db: Database) throws {
        try append(what: deleteCode, subject: messageID, db)
    }

    static func reaction(messageID: Int64, _ db: Database) throws {
        try append(what: reactionCode, subject: messageID, db)
    }

    private static func append(what: Int64, subject: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: insertion).execute(arguments: [what, subject])
    }
}
