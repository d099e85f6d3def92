package import ChatModel
package import SQLite
package import Schema

/// Appends to the change feed. There is only one writer, so `seq` is the commit order.
///
/// A row says that its subject has changed, and readers read the subject's present state. So of several rows with the
/// same `what` and subject only the last one counts, and only the others may ever be removed: every reader, from any
/// position, still learns of every subject. Nothing removes them, because they are few. Most rows are of stored
/// messages, one each.
package enum Feed {
    package static let insertion = "INSERT INTO change (what, subject_id) VALUES (?, ?)"
    /// `what` of a stored message; the subject is its id.
    package static let messageCode: Int64 = 0
    /// `what` of spans that began, ended or were split; the subject is the room.
    package static let coverageCode: Int64 = 1
    /// `what` of a new user or room, another name, picture or fact; the subject is the user, or the negative of the
    /// room's number.
    package static let nameCode: Int64 = 2
    /// `what` of a stored message that got another text, an earlier version or a reply, or that was pinned or unpinned;
    /// the subject is its id.
    package static let editCode: Int64 = 3
    /// `what` of a stored message that was deleted or wiped; the subject is its id.
    package static let deleteCode: Int64 = 4
    /// `what` of a stored message that got or lost a reaction; the subject is its id.
    package static let reactionCode: Int64 = 5
    /// `what` of a stored message that got a file, or whose file has another state; the subject is its id.
    package static let fileCode: Int64 = 6
    /// `what` of a stored message that was imported as read and no longer counts as read; the subject is its id.
    static let unreadCode: Int64 = 7
    /// `what` of a session that ended; the subject is the session.
    package static let sessionCode: Int64 = 8
    /// `what` of members that no message shows, and of reactions and retractions whose message is not stored; the
    /// subject is the room.
    package static let memberCode: Int64 = 9

    /// `what` of removed things; the subject is the row of `purge`.
    package static let purgeCode: Int64 = 10

    /// `what` of a message that is forgotten and gone; the subject is its id.
    package static let forgottenCode: Int64 = 11
    /// `what` of a person who is forgotten, and has no key and no earlier name; the subject is the user.
    package static let forgottenUserCode: Int64 = 12

    /// `what` of a message that a merge or a bridge moved to another room or person; the subject is its id.
    package static let moveCode: Int64 = 13
    /// `what` of a person or room that a merge or its undoing changed; the subject as of ``nameCode``.
    package static let mergeCode: Int64 = 14

    /// SQL for the codes that followers of the feed get. The others are for the shared archive only.
    package static let followedCodes = "(0, 1, 2, 3, 4, 5, 6, 11, 12)"

    /// SQL for the codes of followers whose subject is a message.
    package static let messageCodes = "(0, 3, 4, 5, 6)"
    /// SQL for the codes of messages that an export writes again: also those that a merge or a bridge moved.
    package static let exportedMessageCodes = "(0, 3, 4, 5, 6, 13)"
    /// SQL for all codes whose subject is a message, also those that followers don't get.
    package static let subjectMessageCodes = "(0, 3, 4, 5, 6, 7, 13)"
    /// SQL for the codes with which a follower shows a message again. The state of its file is not among them.
    package static let shownCodes = "(0, 3, 4, 5)"

    /// Records a message that is stored later than messages with higher ids. Call it directly after a row of
    /// `change` about the message was inserted, because it takes `seq` from the last inserted row.
    package static func late(room: Int64, messageID: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT INTO late (room_id, seq, message_id) VALUES (?, ?, ?)")
            .execute(arguments: [room, db.lastInsertedRowID, messageID])
    }

    package static func coverage(roomID: Int64, _ db: Database) throws {
        try append(what: coverageCode, subject: roomID, db)
    }

    /// Appends a change of a user's names or pictures.
    package static func name(userID: Int64, _ db: Database) throws {
        try append(what: nameCode, subject: userID, db)
    }

    /// Appends a change of a room's names or facts.
    package static func name(roomID: Int64, _ db: Database) throws {
        try append(what: nameCode, subject: -roomID, db)
    }

    /// Appends a change for each room of a workspace.
    package static func names(ofRoomsIn workspaceID: Int64, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO change (what, subject_id)
                  SELECT \(nameCode), -id FROM room WHERE workspace_id = ? ORDER BY id
                """
        ).execute(arguments: [workspaceID])
    }

    package static func edit(messageID: Int64, _ db: Database) throws {
        try append(what: editCode, subject: messageID, db)
    }

    package static func delete(messageID: Int64, _ db: Database) throws {
        try append(what: deleteCode, subject: messageID, db)
    }

    package static func reaction(messageID: Int64, _ db: Database) throws {
        try append(what: reactionCode, subject: messageID, db)
    }

    package static func file(messageID: Int64, _ db: Database) throws {
        try append(what: fileCode, subject: messageID, db)
    }

    /// Appends a change for each message with such a file, and for each person or room with such a picture. Call it
    /// before the files change.
    ///
    /// - Parameter condition: An SQL condition on the rows of `file`.
    static func files(where condition: String, _ arguments: StatementArguments, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO change (what, subject_id)
                  SELECT DISTINCT \(fileCode), message_id FROM file CROSS JOIN attachment ON file_id = file.id
                  WHERE \(condition) ORDER BY message_id
                """
        ).execute(arguments: arguments)
        let paths = "path IN (SELECT path FROM file WHERE \(condition))"
        for subjects in [
            "user_id AS subject FROM user_picture WHERE \(paths)",
            "-room_id AS subject FROM room_picture WHERE \(paths)",
            """
            -room.id AS subject FROM workspace_picture JOIN room ON room.workspace_id = workspace_picture.workspace_id
              WHERE \(paths)
            """,
        ] {
            try db.cachedStatement(
                sql: "INSERT INTO change (what, subject_id) SELECT DISTINCT \(nameCode), \(subjects) ORDER BY subject"
            ).execute(arguments: arguments)
        }
    }

    package static func session(_ session: SessionID, _ db: Database) throws {
        try append(what: sessionCode, subject: session.rawValue, db)
    }

    package static func members(roomID: Int64, _ db: Database) throws {
        try append(what: memberCode, subject: roomID, db)
    }

    static func purge(_ purge: Int64, _ db: Database) throws {
        try append(what: purgeCode, subject: purge, db)
    }

    package static func forgotten(messageID: Int64, _ db: Database) throws {
        try append(what: forgottenCode, subject: messageID, db)
    }

    package static func forgotten(userID: Int64, _ db: Database) throws {
        try append(what: forgottenUserCode, subject: userID, db)
    }

    package static func moved(messageID: Int64, _ db: Database) throws {
        try append(what: moveCode, subject: messageID, db)
    }

    package static func merged(userID: Int64, _ db: Database) throws {
        try append(what: mergeCode, subject: userID, db)
    }

    package static func merged(roomID: Int64, _ db: Database) throws {
        try append(what: mergeCode, subject: -roomID, db)
    }

    private static func append(what: Int64, subject: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: insertion).execute {
            $0.bind(1, what)
            $0.bind(2, subject)
        }
    }
}

extension FeedPosition {
    package static func end(_ db: ReadTransaction) throws -> FeedPosition {
        let epoch = try db.text("SELECT epoch FROM account") ?? ""
        let seq = try db.integer("SELECT seq FROM change ORDER BY seq DESC LIMIT 1") ?? 0
        return FeedPosition(epoch: epoch, seq: seq)
    }
}
