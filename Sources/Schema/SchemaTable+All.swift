extension SchemaTable {
    package static let room = SchemaTable(
        "room", key: (.copied(.number), "id"), (.exported, "key$ kind$"), (.copied(.derived), "messages"),
        (.exported, "workspace_id partner_id left_at_us gone_at_us asked_back_to_us"))
    package static let roomName = spans("room_name", of: "room_id", "name$")
    package static let roomPicture = spans("room_picture", of: "room_id", "path$")
    package static let roomDescription = spans("room_description", of: "room_id", "text$")
    package static let roomOwner = spans("room_owner", of: "room_id", "user_id")
    /// `user` is a reserved word of PostgreSQL.
    package static let user = SchemaTable(
        "user", sharedName: "person", key: (.copied(.number), "id"), (.exported, "key$ is_self"),
        (.own(.ownNames), "self_by")
    )
    package static let userName = spans("user_name", sharedName: "person_name", of: "user_id", "name$")
    package static let userPicture = spans("user_picture", sharedName: "person_picture", of: "user_id", "path$")
    package static let workspace = SchemaTable("workspace", key: (.copied(.number), "id"), (.exported, "key$"))
    package static let workspaceName = spans("workspace_name", of: "workspace_id", "name$")
    package static let workspacePicture = spans("workspace_picture", of: "workspace_id", "path$")
    package static let membership = SchemaTable(
        "membership", key: (.exported, "room_id user_id"), (.exported, "joined_at_us left_at_us"))
    package static let senderCount = SchemaTable(
        "sender_count", key: (.copied(.derived), "room_id sender_id"), (.copied(.derived), "messages"))
    package static let session = SchemaTable(
        "session", key: (.copied(.connection), "id"),
        (.copied(.connection), "started_at_us last_sign_of_life_us ended_at_us reason$ detail$"),
        (.own(.wire), "bytes position aged"), (.copied(.connection), "clock_lead_us"), (.computed, "heard_until_us"),
        (.copied(.connection), "ahead_us booted_at_us boot$"))
    package static let messageVersion = SchemaTable(
        "message_version", key: (.exported, "message_id at_us"), (.exported, "body$"))
    package static let reaction = SchemaTable(
        "reaction", key: (.exported, "room_id remote_id$ user_id text$"), (.exported, "at_us removed_at_us own_id$"))
    package static let retraction = SchemaTable(
        "retraction", key: (.exported, "room_id remote_id$"), (.exported, "user_id at_us reason$ wipes"))
    package static let attachment = SchemaTable(
        "attachment", key: (.copied(.number), "id"), (.exported, "message_id"), (.copied(.number), "file_id"),
        (.exported, "bytes"))
    /// An export has no bytes of files, so an import has none of what was here.
    package static let file = SchemaTable(
        "file", key: (.copied(.number), "id"), (.exported, "path$"), (.replaced, "sha256$"), (.exported, "bytes"),
        (.replaced, "state"), (.copied(.fetching), "attempts tried_at_us next_try_us error$ limit_bytes"),
        (.own(.fetching), "asked part_bytes part_tag$"))
    package static let content = SchemaTable("content", key: (.replaced, "sha256$"), (.exported, "bytes"))
    package static let coverage = SchemaTable(
        "coverage", key: (.copied(.number), "id"), (.exported, "room_id from_us to_us"),
        (.copied(.connection), "session_id"))
    package static let importedSpan = SchemaTable(
        "imported_span", key: (.exported, "room_id from_us"), (.exported, "to_us"))
    package static let gapNote = SchemaTable(
        "gap_note", key: (.exported, "room_id from_us"), (.exported, "reason$ attempts"),
        (.copied(.connection), "next_try_us"), (.exported, "unfilled$ detail$"))
    package static let roomTrouble = SchemaTable(
        "room_trouble", key: (.copied(.connection), "room_id about"),
        (.copied(.connection), "reason$ detail$ since_us next_try_us"))
    package static let readMarker = SchemaTable(
        "read_marker", key: (.exported, "room_id"), (.exported, "through_us"), (.copied(.order), "seq"),
        (.exported, "set_at_us"))
    package static let late = SchemaTable(
        "late", key: (.copied(.order), "room_id seq"), (.copied(.order), "message_id"))
    package static let change = SchemaTable(
        "change", key: (.copied(.order), "seq"), (.copied(.order), "what subject_id"))

    /// The tables that are copied to the shared archive.
    package static let allSent = [
        room, roomName, user, userName, userPicture, workspace, workspaceName, membership, senderCount, session,
        message,
        messageVersion, reaction, retraction, attachment, file, content, coverage, importedSpan, gapNote, roomTrouble,
        readMarker, late, change, roomPicture, roomDescription, roomOwner, workspacePicture,
    ]

    /// The tables whose paths have a row of `file`.
    package static let pictures = [userPicture, roomPicture, workspacePicture]

    static let messageRaw = SchemaTable("message_raw", key: (.own(.wire), "message_id at_us"), (.own(.wire), "bytes#"))
    package static let failure = SchemaTable(
        "failure", key: (.own(.number), "id"), (.exportedAlone, "room_id"), (.own(.connection), "session_id"),
        (.exportedAlone, "remote_id$ payload# reason$ first_at_us last_at_us count"))
    package static let purge = own(
        "purge", key: "id", "room_id what rule$ kept_us first_us last_us count at_us", .removals)
    package static let hold = own("hold", key: "name$", "room_id from_us to_us reason$ set_at_us", .removals)
    package static let historyPlace = own("history_place", key: "room_id end_us", "place$", .connection)

    /// The tables that stay in the file.
    package static let allOwn = [
        messageRaw, failure, purge, hold, historyPlace,
        own("account", key: "id", "name$ network$ epoch$ created_at_us", .account),
        own("own_name", key: "source place", "name$", .ownNames), own("id_run", key: "first_us", "last_us", .derived),
        own("chunk", key: "session_id offset", "received_at_us bytes#", .wire),
        own("bridge", key: "id", "bot_id bot$ pattern$ at_us is_active is_done", .bridges),
        own("merge", key: "id", "what from_id chosen_id into_id at_us is_done", .merges),
        own("merge_message", key: "merge_id message_id", "is_marked", .merges),
        own("merge_row", key: "id", "merge_id source$ was$ now$", .merges),
        own("applied_rule", key: "rule$", "first_at_us", .removals), own("forgotten", key: "digest#", "", .removals),
        own("forgotten_key", key: "id", "key# digests scrub", .removals),
        own("purged_before", key: "digest#", "last_us", .removals),
        own("network_place", key: "id", "place$", .removals),
        own("edit", key: "message_id remote_id$", "at_us files$", .wire),
        own("content_gone", key: "sha256$", "", .fetching),
        own("search_index", key: "name$", "analyser from_us", .derived),
        own("search_slot", key: "slot", "first", .derived), own("message_digest", key: "block", "digest", .derived),
        own("digest_reach", key: "id", "from_block", .derived),
        own("vocabulary", key: "id", "first$ words$", .derived),
        own("vocabulary_gone", key: "word$", "", .derived),
        own("vocabulary_state", key: "id", "analyser epoch", .derived),
        own("message_count", key: "id", "counts# messages", .derived),
        own("count_reach", key: "id", "from_quarter", .derived),
        own("room_span", key: "room_id", "first_us last_us", .derived),
    ]

    /// A table of what something had over time.
    private static func spans(
        _ name: String, sharedName: String? = nil, of owner: String, _ value: String
    ) -> SchemaTable {
        SchemaTable(
            name, sharedName: sharedName, key: (.exported, "\(owner) first_seen_us"),
            (.exported, "last_seen_us \(value)"))
    }

    /// A table of which nothing is copied or exported.
    private static func own(_ name: String, key: String, _ others: String, _ reason: Reason) -> SchemaTable {
        SchemaTable(name, key: (.own(reason), key), (.own(reason), others))
    }
}
