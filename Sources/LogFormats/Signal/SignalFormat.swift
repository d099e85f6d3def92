import Bytes
import ChatModel

/// The export of Signal Desktop (`signal-export-…/main.jsonl`): a line for each account, recipient, chat and message,
/// as the frames of Signal's Backup.proto in JSON.
package struct SignalFormat: LogFormat {
    package static let name = "signal"
    package static let programs = "Signal Desktop"
    /// 1 MiB: a message has 2,048 bytes of text in the file, and its earlier texts; a group has at most 1,000 members
    /// of some 100 bytes.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false

    private var directory = SignalDirectory()
    private var omissions = ExportOmissions()

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        let line = source.beginning.prefix { $0 != Byte.lineFeed }
        guard let json = try? JSONValue(LogLine(number: 1, bytes: line), limit: maximumLine) else { return false }
        return json["backupTimeMs"] != nil || json["account"]?.isObject == true
    }

    /// Returns main.jsonl for an export's folder, which has its attachments beside it; nil for other folders.
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
        let own = paths.prefix { !$0.utf8.contains(Byte.slash) }
        guard own.contains(where: { $0 == "metadata.json" }) else { return nil }
        return own.enumerated().first { $0.element == "main.jsonl" }.map { [$0.offset] }
    }

    package static func saysNothing(_ path: some StringProtocol) -> Bool { path == "metadata.json" }

    package init(_ source: LogSource) {}

    package var hasOwnRooms: Bool { true }
    package var assumptions: [String] { omissions.assumptions(zone: "") + directory.assumptions }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.bytes.isBlank else { return .nothing }
        do throws(UnreadablePiece) {
            let frame = try JSONValue(object: line, limit: Self.maximumLine)
            if let item = try frame.object("chatItem") { return .message(try message(item)) }
            if let account = try frame.object("account") { try directory.noteAccount(account) }
            if let recipient = try frame.object("recipient") { try directory.addRecipient(recipient) }
            if let chat = try frame.object("chat") { try directory.addChat(chat) }
            guard Self.others.contains(where: { frame[$0] != nil }) else {
                let kind = frame.firstKey.map { " (\(UnknownKinds.name($0)))" }
                throw UnreadablePiece("its frame is unknown" + (kind ?? ""))
            }
            return .nothing
        } catch {
            return .unreadable(error.reason)
        }
    }

    /// The frames that are not messages.
    private static let others: [StaticString] = [
        "account", "recipient", "chat", "version", "backupTimeMs", "stickerPack", "adHocCall", "notificationProfile",
        "chatFolder",
    ]

    private mutating func message(_ item: JSONValue) throws(UnreadablePiece) -> ImportedMessage {
        let chat = try item.required("chatId").scalar().text
        guard let room = directory.room(chat) else {
            throw UnreadablePiece("the export names no chat \(chat) before it")
        }
        let message = try SignalMessage(item, directory)
        let sender = directory.person(try item.scalar("authorId")?.text)
        let author = message.actor ?? sender
        guard author != nil || message.kind != .message else {
            throw UnreadablePiece("the export names no author of it")
        }
        let revisions = try item.objects("revisions")
        let sent = try Self.milliseconds(item)
        let first = try revisions.first.map(Self.milliseconds) ?? sent
        let time = Timestamp(milliseconds: first)
        let text = ExportText(lines: message.lines)
        var imported = ImportedMessage(
            room: room.name, roomKey: room.key, roomKind: room.kind, kind: author == nil ? .system : message.kind,
            sender: author?.name, senderKey: author?.key, body: text.string, time: time, resolution: .microsecond,
            remoteID: author.map { Self.id($0, first) }, flags: item.flags.union(text.flags),
            editedAt: revisions.isEmpty ? nil : Timestamp(milliseconds: sent),
            deletedAt: message.isDeleted ? time : nil,
            replyTo: try replied(by: message), files: files(of: message), reactions: try reactions(to: message))
        if message.isCut { imported.flags.insert(.oversize) }
        for revision in revisions {
            let body = ExportText(lines: try SignalMessage(revision, directory).lines).string
            imported.versions.append(
                ImportedMessage.Version(at: Timestamp(milliseconds: try Self.milliseconds(revision)), body: body))
        }
        return imported
    }

    private static func milliseconds(_ item: JSONValue) throws(UnreadablePiece) -> Int64 {
        guard let time = try item.required("dateSent").scalar().integer else {
            throw UnreadablePiece("its \"dateSent\" is not a whole number")
        }
        return time
    }

    /// Returns the id of a message, which Signal identifies by its author and the time when it was sent.
    private static func id(_ author: SignalDirectory.Recipient, _ milliseconds: Int64) -> String {
        author.key.map { "\($0):\(milliseconds)" } ?? "\(milliseconds)"
    }

    private func replied(by message: SignalMessage) throws(UnreadablePiece) -> String? {
        guard let quote = message.quote, let time = try quote.scalar("targetSentTimestamp")?.integer,
            let author = directory.person(try quote.scalar("authorId")?.text)
        else { return nil }
        return Self.id(author, time)
    }

    private mutating func files(of message: SignalMessage) -> [ImportedMessage.File] {
        message.files.map { file in
            if !file.isThere { omissions.countFile() }
            return ImportedMessage.File(path: file.path.withoutNUL, size: file.size)
        }
    }

    private func reactions(to message: SignalMessage) throws(UnreadablePiece) -> [ImportedMessage.Reaction] {
        try message.reactions.map { reaction throws(UnreadablePiece) in
            let id = try reaction.scalar("authorId")?.text
            let person = directory.person(id)
            return ImportedMessage.Reaction(
                text: ExportText.name(try reaction.text("emoji")) ?? "?", user: person?.name ?? id ?? "?",
                userKey: person?.key,
                at: try reaction.scalar("sentTimestamp")?.integer.map(Timestamp.init(milliseconds:)))
        }
    }
}
