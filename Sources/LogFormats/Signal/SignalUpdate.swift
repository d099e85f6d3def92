import ChatModel

/// A `ChatUpdateMessage` of Signal's Backup.proto: a call, a change of a group, and so on.
struct SignalUpdate {
    var kind = MessageKind.action
    /// The person who acts, if it is not the item's author.
    var actor: SignalDirectory.Recipient?
    var lines: [String] = []

    init(_ update: JSONValue, _ directory: SignalDirectory) throws(UnreadablePiece) {
        if let call = try update.object("individualCall") {
            let details = try [call.text("type"), call.text("state")].compactMap(\.self)
            lines = [Self.sentence("called", details.map { Self.words($0.replacingSuffix("_CALL")) })]
        } else if let call = try update.object("groupCall") {
            actor = directory.person(try call.scalar("startedCallRecipientId")?.text)
            lines = [Self.sentence("group call", [try call.text("state").map(Self.words)].compactMap(\.self))]
        } else if let simple = try update.object("simpleUpdate") {
            lines = [Self.words(try simple.text("type") ?? "unknown")]
        } else if let timer = try update.object("expirationTimerChange") {
            lines = [Self.timer(try timer.scalar("expiresInMs")?.integer ?? 0)]
        } else if let profile = try update.object("profileChange") {
            let names = [try profile.text("previousName"), try profile.text("newName")].map { $0 ?? "?" }
            lines = ["changed the profile name from \(names[0]) to \(names[1])"]
        } else if let change = try update.object("groupChange") {
            let changes = try change.objects("updates")
            for change in changes { try read(change, directory, isAlone: changes.count == 1) }
        } else {
            lines = [Self.words(update.firstKey ?? "unknown")]
        }
    }

    /// Reads a change of a group.
    ///
    /// - Parameter isAlone: True if it is the only one of its item, so that its kind is the item's.
    private mutating func read(
        _ change: JSONValue, _ directory: SignalDirectory, isAlone: Bool
    ) throws(UnreadablePiece) {
        func name(_ value: JSONValue, _ key: StaticString) throws(UnreadablePiece) -> String {
            directory.name(ofAccount: try value.text(key))
        }
        func set(_ kind: MessageKind, _ line: String?, else words: String) {
            if isAlone { self.kind = kind }
            lines += isAlone ? [line].compactMap(\.self) : [words]
        }
        if let joined = change["groupMemberJoinedUpdate"] ?? change["groupMemberJoinedByLinkUpdate"] {
            let name = try name(joined, "newMemberAci")
            if isAlone { actor = directory.person(account: try joined.text("newMemberAci")) }
            set(.join, nil, else: "\(name) joined")
        } else if let left = change["groupMemberLeftUpdate"] {
            let name = try name(left, "aci")
            if isAlone { actor = directory.person(account: try left.text("aci")) }
            set(.leave, nil, else: "\(name) left")
        } else if let added = change["groupMemberAddedUpdate"] {
            let name = try name(added, "newMemberAci")
            set(.invite, name, else: "added \(name)")
        } else if let removed = change["groupMemberRemovedUpdate"] {
            let name = try name(removed, "removedAci")
            set(.kick, name, else: "removed \(name)")
        } else if let named = change["groupNameUpdate"] {
            lines.append(
                try named.text("newGroupName").map { "changed the group's name to \($0)" } ?? "removed the group's name"
            )
        } else if let described = change["groupDescriptionUpdate"] {
            let text = try described.text("newDescription")
            lines.append(text.map { "changed the group's description to \($0)" } ?? "removed the group's description")
        } else if let timer = change["groupExpirationTimerUpdate"] {
            lines.append(Self.timer(try timer.scalar("expiresInMs")?.integer ?? 0))
        } else {
            lines.append(Self.words((change.firstKey ?? "groupUpdate").replacingSuffix("Update")))
        }
    }

    private static func timer(_ milliseconds: Int64) -> String {
        milliseconds > 0
            ? "set messages to disappear after \(milliseconds / 1000) seconds" : "set messages not to disappear"
    }

    private static func sentence(_ subject: String, _ details: [String]) -> String {
        details.isEmpty ? subject : subject + ": " + details.joined(separator: ", ")
    }

    /// Returns `missed notification profile` for `MISSED_NOTIFICATION_PROFILE`, and `group avatar` for `groupAvatar`.
    private static func words(_ name: String) -> String {
        var words: [UInt8] = []
        let isCapital = !name.utf8.contains { (0x61...0x7A).contains($0) }
        for byte in name.utf8 {
            if byte == UInt8(ascii: "_") {
                words.append(0x20)
            } else if (0x41...0x5A).contains(byte) {
                if !isCapital, !words.isEmpty { words.append(0x20) }
                words.append(byte | 0x20)
            } else {
                words.append(byte)
            }
        }
        return ExportText.name(String(decoding: words, as: UTF8.self)) ?? "unknown"
    }
}

extension String {
    /// Returns the text without a suffix.
    fileprivate func replacingSuffix(_ ending: String) -> String {
        hasSuffix(ending) ? String(dropLast(ending.count)) : self
    }
}
