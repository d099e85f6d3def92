/// A table of an account's file that is copied to the shared archive, without what is never sent: raw bytes, the
/// journal, failures, the search index, and how far a file was fetched.
package struct MirrorTable: Sendable, Hashable {
    /// The name in the shared archive.
    package let name: String
    /// The name in the account's file.
    let source: String
    /// The columns, the key first.
    package let columns: [Column]
    /// The number of columns of the key.
    package let keyCount: Int

    package struct Column: Sendable, Hashable {
        package let name: String
        package let isText: Bool
    }

    package var key: ArraySlice<Column> { columns.prefix(keyCount) }

    /// - Parameters:
    ///   - source: The name in the file, if it is another.
    ///   - key: The key's columns, separated by spaces; a text ends with `$`.
    ///   - others: The other columns, in the same form.
    private init(_ name: String, source: String? = nil, key: String, others: String) {
        (self.name, self.source) = (name, source ?? name)
        let (key, others) = (Self.columns(key), Self.columns(others))
        columns = key + others
        keyCount = key.count
    }

    private static func columns(_ names: String) -> [Column] {
        names.split(separator: " ").map { name in
            Column(name: String(name.hasSuffix("$") ? name.dropLast() : name), isText: name.hasSuffix("$"))
        }
    }

    package static let room = MirrorTable(
        "room", key: "id",
        others: "key$ kind$ messages workspace_id partner_id left_at_us gone_at_us asked_back_to_us")
    package static let roomName = MirrorTable(
        "room_name", key: "room_id first_seen_us", others: "last_seen_us name$")
    package static let person = MirrorTable("person", source: "user", key: "id", others: "key$ is_self")
    package static let personName = MirrorTable(
        "person_name", source: "user_name", key: "user_id first_seen_us", others: "last_seen_us name$")
    package static let personPicture = MirrorTable(
        "person_picture", source: "user_picture", key: "user_id first_seen_us", others: "last_seen_us path$")
    package static let roomPicture = MirrorTable(
        "room_picture", key: "room_id first_seen_us", others: "last_seen_us path$")
    package static let roomDescription = MirrorTable(
        "room_description", key: "room_id first_seen_us", others: "last_seen_us text$")
    package static let roomOwner = MirrorTable(
        "room_owner", key: "room_id first_seen_us", others: "last_seen_us user_id")
    package static let workspacePicture = MirrorTable(
        "workspace_picture", key: "workspace_id first_seen_us", others: "last_seen_us path$")
    package static let workspace = MirrorTable("workspace", key: "id", others: "key$")
    package static let workspaceName = MirrorTable(
        "workspace_name", key: "workspace_id first_seen_us", others: "last_seen_us name$")
    package static let membership = MirrorTable(
        "membership", key: "room_id user_id", others: "joined_at_us left_at_us")
    package static let senderCount = MirrorTable("sender_count", key: "room_id sender_id", others: "messages")
    package static let session = MirrorTable(
        "session", key: "id",
        others: """
            started_at_us last_sign_of_life_us ended_at_us reason$ detail$ clock_lead_us ahead_us booted_at_us boot$
            """)
    package static let message = MirrorTable(
        "message", key: "id",
        others: """
            room_id kind sender_id session_id received_at_us source_time_us flags remote_id$ body$ edited_at_us \
            deleted_at_us reply_to$
            """)
    package static let messageVersion = MirrorTable("message_version", key: "message_id at_us", others: "body$")
    package static let reaction = MirrorTable(
        "reaction", key: "room_id remote_id$ user_id text$", others: "at_us removed_at_us own_id$")
    package static let retraction = MirrorTable(
        "retraction", key: "room_id remote_id$", others: "user_id at_us reason$ wipes")
    package static let attachment = MirrorTable("attachment", key: "id", others: "message_id file_id bytes")
    package static let file = MirrorTable(
        "file", key: "id", others: "path$ sha256$ bytes state attempts tried_at_us next_try_us error$ limit_bytes")
    package static let content = MirrorTable("content", key: "sha256$", others: "bytes")
    package static let coverage = MirrorTable("coverage", key: "id", others: "room_id from_us to_us session_id")
    package static let importedSpan = MirrorTable("imported_span", key: "room_id from_us", others: "to_us")
    package static let gapNote = MirrorTable(
        "gap_note", key: "room_id from_us", others: "reason$ attempts next_try_us unfilled$ detail$")
    package static let roomTrouble = MirrorTable(
        "room_trouble", key: "room_id about", others: "reason$ detail$ since_us next_try_us")
    package static let readMarker = MirrorTable("read_marker", key: "room_id", others: "through_us seq set_at_us")
    package static let late = MirrorTable("late", key: "room_id seq", others: "message_id")
    package static let change = MirrorTable("change", key: "seq", others: "what subject_id")

    /// All tables.
    package static let all = [
        room, roomName, person, personName, personPicture, workspace, workspaceName, membership, senderCount, session,
        message, messageVersion, reaction, retraction, attachment, file, content, coverage, importedSpan, gapNote,
        roomTrouble, readMarker, late, change, roomPicture, roomDescription, roomOwner, workspacePicture,
    ]

    /// The tables whose paths have a row of `file`.
    package static let pictures = [personPicture, roomPicture, workspacePicture]
}
