import Bytes
import ChatModel

/// Turns Slack's own message objects into messages, with the people and rooms that are known so far.
struct SlackMessages: Sendable {
    var directory = SlackDirectory()
    private var room: SlackDirectory.Room?
    private var omissions = ExportOmissions()
    /// The canvases, lists and transcripts that are shared in no room.
    private var homeless = 0

    /// The messages whose content is left out because its kind is unknown.
    var unknownKinds: UnknownKinds { omissions.kinds }

    /// The facts that the messages lack, for people.
    ///
    /// - Parameter zone: The zone of times without one.
    func assumptions(zone: String) -> [String] {
        omissions.assumptions(zone: zone) + directory.budget.assumptions
            + (homeless > 0 ? ["canvases, lists and transcripts left out, because they have no room: \(homeless)"] : [])
    }

    /// Reads a piece as a value.
    func value<Value: Decodable>(_ line: LogLine, _: Value.Type) throws(UnreadablePiece) -> Value {
        try JSONPiece<Value>(line, limit: SlackFormat.maximumLine).value
    }

    /// Reads a message object of Slack.
    ///
    /// - Parameter room: The room; nil if the source does not give it.
    mutating func message(_ line: LogLine, in room: SlackDirectory.Room?) throws(UnreadablePiece) -> ImportedMessage {
        self.room = room
        let piece = try JSONPiece<SlackMessage>(line, limit: SlackFormat.maximumLine)
        switch piece.value.subtype {
        case "message_changed":
            let change = try value(line, SlackChange.self)
            guard let message = change.message else { throw UnreadablePiece("it has no \"message\"") }
            var imported = try imported(message, piece.flags, blocks: nil)
            // Both texts are equal if only a preview was added or removed.
            if let old = try change.before.map(version), old.body != imported.body { imported.versions = [old] }
            return imported
        case "message_deleted":
            let change = try value(line, SlackChange.self)
            guard let message = change.before else {
                throw UnreadablePiece("it has no \"previous_message\"")
            }
            var imported = try imported(message, piece.flags, blocks: nil)
            imported.deletedAt = try Self.instant(change.ts, "ts")
            return imported
        default: return try imported(piece.value, piece.flags, blocks: line)
        }
    }

    private mutating func imported(
        _ message: SlackMessage, _ flags: MessageFlags, blocks line: LogLine?
    ) throws(UnreadablePiece) -> ImportedMessage {
        guard let room else { throw UnreadablePiece("it names no room") }
        guard message.type ?? "message" == "message" else { throw UnreadablePiece("its \"type\" is not \"message\"") }
        let time = try Self.instant(message.ts, "ts")
        let edited = try message.edited.map { edit throws(UnreadablePiece) in try Self.instant(edit.ts, "edited.ts") }
        let kind = message.kind
        let sender = kind == .system ? nil : try sender(of: message)
        // The tombstone of a deleted message has neither its sender nor its text nor the time of the deletion.
        let isTombstone = message.subtype == "tombstone"
        let text = isTombstone ? ExportText(lines: []) : text(of: message, blocks: line)
        let files = files(of: message)
        if text.string == nil, files.isEmpty, kind == .message { countKind(of: message, line) }
        var imported = ImportedMessage(
            room: room.name, roomKey: room.key, roomKind: room.kind, kind: kind, sender: sender?.name,
            senderKey: sender?.key, body: text.string, time: time, resolution: .microsecond, remoteID: message.ts?.text,
            flags: flags.union(text.flags).union(message.marks), editedAt: edited,
            deletedAt: isTombstone ? time : nil,
            replyTo: message.thread_ts.flatMap { $0 == message.ts ? nil : $0.id }, files: files,
            reactions: reactions(to: message))
        let facts = ImportedFacts(
            picture: sender?.key.flatMap(directory.picture).map { ImportedMessage.File(path: $0) },
            description: room.description, owner: room.owner, ownerName: room.owner.flatMap(directory.user))
        imported.facts = facts.isEmpty ? nil : facts
        return imported
    }

    /// Reads a canvas, a list or a huddle's transcript, of which an export has only the address: an action of its author
    /// in the first room that has it. Returns nil for one without a room, and for a deleted one.
    mutating func document(_ line: LogLine, from list: String) throws(UnreadablePiece) -> ImportedMessage? {
        let json = try JSONValue(object: line, limit: SlackFormat.maximumLine)
        guard try !json.isTrue("is_tombstoned") else { return nil }
        guard let room = try Self.channel(of: json).map(directory.room(withID:)) else {
            homeless += 1
            return nil
        }
        guard let time = Timestamp(secondsText: try json.required("created").scalar().text) else {
            throw UnreadablePiece("its \"created\" is not a time")
        }
        let user = ExportText.name(try json.text("user"))
        let title = ExportText.name(try json.text("title"), try json.text("name"))
        let kind = SlackDirectory.documents[list] ?? "file"
        let text = ExportText(lines: ["created the \(kind)" + (title.map { " \($0)" } ?? "")])
        let address = ExportText.name(try json.text("permalink"), try json.text("url_private_download"))
        return ImportedMessage(
            room: room.name, roomKey: room.key, roomKind: room.kind, kind: user == nil ? .system : .action,
            sender: user.map { directory.user($0) ?? $0 }, senderKey: user, body: text.string, time: time,
            resolution: .second, remoteID: try json.scalar("id")?.id, flags: json.flags.union(text.flags),
            files: address.map { [ImportedMessage.File(path: Self.withoutToken($0))] } ?? [])
    }

    /// Returns the id of the first room in which a file is shared.
    private static func channel(of file: JSONValue) throws(UnreadablePiece) -> String? {
        guard let shares = file["shares"], shares.isList, let share = try shares.elements().first else {
            return try file.list("channels").first?.scalar().id
        }
        return try share.scalar("channel")?.id
    }

    private func version(_ message: SlackMessage) throws(UnreadablePiece) -> ImportedMessage.Version {
        let at = try Self.instant(message.edited?.ts ?? message.ts, "previous_message.ts")
        return ImportedMessage.Version(at: at, body: text(of: message, blocks: nil).string)
    }

    /// Reads `1355517523.000005`: seconds since 1970, and also the message's id in its room.
    static func instant(_ ts: JSONScalar) -> Timestamp? { Timestamp(secondsText: ts.text) }

    private static func instant(_ ts: JSONScalar?, _ key: String) throws(UnreadablePiece) -> Timestamp {
        guard let ts else { throw UnreadablePiece("it has no \"\(key)\"") }
        guard let instant = instant(ts) else { throw UnreadablePiece("its \"\(key)\" is not a time") }
        return instant
    }

    private func sender(of message: SlackMessage) throws(UnreadablePiece) -> (name: String, key: String?) {
        let bot = ExportText.name(message.username, message.bot_profile?.name)
        if let user = ExportText.name(message.user, message.comment?.user) {
            let profile = message.user_profile
            let known =
                directory.user(user)
                ?? ExportText.name(
                    profile?.display_name, profile?.real_name, profile?.name)
            return (known ?? bot ?? user, user)
        }
        let key = ExportText.name(message.bot_id)
        guard let name = bot ?? key else { throw UnreadablePiece("it has neither \"user\" nor \"bot_id\"") }
        return (name, key)
    }

    /// Counts the kind of a message without content: its subtype, else that of its first block.
    private mutating func countKind(of message: SlackMessage, _ line: LogLine?) {
        let blocks = line.flatMap { try? value($0, SlackBlocks.self).blocks }
        if let kind = message.subtype ?? blocks?.first?.type { omissions.count(kind: kind) }
    }

    private func text(of message: SlackMessage, blocks line: LogLine?) -> ExportText {
        let huddle = message.subtype == "huddle_thread" ? message.room.map(words) : nil
        let text = ExportText(lines: (message.lines + [huddle].compactMap(\.self)).lazy.map { readable($0) })
        guard text.string == nil, message.kind == .message, let line,
            let blocks = try? value(line, SlackBlocks.self).blocks
        else { return text }
        return ExportText(lines: blocks.lazy.map { readable($0.string) })
    }

    /// Returns `huddle of alice, bob (300 seconds)`.
    private func words(_ huddle: SlackMessage.Huddle) -> String {
        let people = huddle.people.prefix(Self.maximumPeople).map { directory.user($0) ?? $0 }.joined(separator: ", ")
        return "huddle" + (people.isEmpty ? "" : " of \(people)") + (huddle.seconds.map { " (\($0) seconds)" } ?? "")
    }

    /// The limit of people that a huddle names. Slack allows 50 in one.
    private static let maximumPeople = 50

    /// Returns the text without markup, up to the limit of a message or a little more.
    private func readable(_ text: String) -> String? {
        SlackText(text, limit: ExportText.maximumBody, user: directory.user, room: directory.channel).string
    }

    private mutating func files(of message: SlackMessage) -> [ImportedMessage.File] {
        message.allFiles.map { file in
            let copies = Self.copies(of: file)
            if let url = [file.url_private, file.permalink].compactMap({ $0 }).first(where: { !$0.isEmpty }) {
                return ImportedMessage.File(
                    path: Self.withoutToken(url.withoutNUL), size: file.size?.integer, copies: copies)
            }
            omissions.countFile()
            let name = ExportText.name(file.name, file.title, file.id?.text) ?? "file"
            return ImportedMessage.File(path: name, size: file.size?.integer, copies: copies)
        }
    }

    /// Returns the paths at which slackdump 4 stores a file: `__uploads/ID/NAME` (`mattermost`), or `attachments/ID-NAME`
    /// beside the room's days (`standard`). Older versions keep the characters of a name that Windows forbids.
    private static func copies(of file: SlackMessage.File) -> [String]? {
        guard let id = file.id?.id, let name = file.name, name.utf8.count <= ExportText.maximumName else { return nil }
        var safe = String(name.map { #"<>:"/\|?*"#.contains($0) ? "_" : $0 })
        while let last = safe.last, last == " " || last == "." { safe.removeLast() }
        let names = safe == name ? [name] : [safe, name]
        return names.filter { !$0.isEmpty }.flatMap { ["__uploads/\(id)/\($0)", "attachments/\(id)-\($0)"] }
    }

    /// Removes `t=xoxe-…` and `token=xoxe-…` from an address. It lets anyone fetch the file, and differs in each export.
    static func withoutToken(_ url: String) -> String {
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return url }
        let query = parts[1].split(separator: "&").filter { !$0.hasPrefix("t=") && !$0.hasPrefix("token=") }.joined(
            separator: "&")
        return query.isEmpty ? String(parts[0]) : "\(parts[0])?\(query)"
    }

    private mutating func reactions(to message: SlackMessage) -> [ImportedMessage.Reaction] {
        var reactions: [ImportedMessage.Reaction] = []
        for reaction in message.reactions ?? [] {
            let users = reaction.users ?? []
            omissions.count(reactions: reaction.count?.integer, named: users.count)
            let text = ":\(ExportText.name(reaction.name) ?? "?"):"
            reactions += users.map { user in
                let key = ExportText.name(user)
                return ImportedMessage.Reaction(
                    text: text, user: directory.user(user) ?? key ?? "?", userKey: key)
            }
        }
        return reactions
    }
}
