import Bytes
import ChatModel

/// The chat logs of Thunderbird and Instantbird: a file of JSON lines for each conversation, which begins with a line about
/// the conversation (`logger.sys.mjs` of Thunderbird 153). Times are in UTC, and texts are HTML.
///
/// `logs/irc/alice@irc.example.net/#example.chat/2026-11-21.062311+0900.json`
package struct ThunderbirdFormat: LogFormat {
    package static let name = "thunderbird"
    package static let programs = "Thunderbird, Instantbird (chat)"
    /// 1 MiB: a message has at most some kilobytes.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false
    package static let isAlwaysUTF8 = true

    private let room: String
    private let roomKey: String?
    private let isChat: Bool
    private let network: String

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool { ThunderbirdHead(source.beginning) != nil }

    /// - Throws: ``LogSourceError/noRoom`` if the first line names no conversation, and no room is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        let head = ThunderbirdHead(source.beginning)
        guard let room = source.room ?? head?.room else { throw .noRoom }
        self.room = room.withoutNUL
        roomKey = source.room == nil ? head?.roomKey : nil
        isChat = head?.isChat ?? true
        network = head?.network ?? ""
    }

    /// Returns the account's address, such as `alice@irc.example.net`.
    package static func accountName(in source: LogSource) -> String? { ThunderbirdHead(source.beginning)?.account }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.bytes.isBlank else { return .nothing }
        do throws(UnreadablePiece) {
            let json = try JSONValue(object: line, limit: Self.maximumLine)
            return json["text"] == nil && json["protocol"] != nil ? .nothing : .message(try message(json))
        } catch {
            return .unreadable(error.reason)
        }
    }

    private func message(_ json: JSONValue) throws(UnreadablePiece) -> ImportedMessage {
        guard let time = WrittenTime(try json.required("date").requiredText())?.instants(in: .gmt).first else {
            throw UnreadablePiece("its \"date\" is not a time")
        }
        var flags: Set<String> = []
        for flag in try json.list("flags") { flags.insert(try flag.requiredText()) }
        let written = try json.required("text").requiredText()
        let words = flags.contains("noFormat") ? written : MarkupText(Array(written.utf8)[...]).string
        let content = flags.contains("system") ? event(words) : said(words, flags, by: try sender(json))
        let text = ExportText(lines: [content.body])
        // Thunderbird writes whole seconds.
        var message = ImportedMessage(
            room: room, roomKey: roomKey, roomKind: isChat ? .channel : .direct, kind: content.kind,
            sender: content.sender, senderKey: content.key, body: text.string ?? content.body.map { _ in "" },
            time: time, resolution: .second,
            remoteID: ExportText.name(try json.text("remoteId")), flags: text.flags.union(json.flags))
        if flags.contains("deleted") { (message.deletedAt, message.body) = (time, nil) }
        return message
    }

    private typealias Content = (kind: MessageKind, sender: String?, key: String?, body: String?)

    /// Returns the sender. On Matrix `who` is an id, and the name is beside it; on XMPP it is an address or a nick.
    private func sender(_ json: JSONValue) throws(UnreadablePiece) -> (name: String?, key: String?) {
        let who = ExportText.name(try json.text("who"))
        return network == "matrix" ? (ExportText.name(try json.text("alias"), who), who) : (who, nil)
    }

    private func said(_ words: String, _ flags: Set<String>, by sender: (name: String?, key: String?)) -> Content {
        // A message without a flag for its direction is the program's own, such as an error.
        guard let name = sender.name, flags.contains("incoming") || flags.contains("outgoing") else {
            return (.system, nil, nil, words)
        }
        let action = network == "jabber" && words.hasPrefix("/me ") ? String(words.dropFirst(4)) : nil
        let kind: MessageKind =
            flags.contains("action") || action != nil ? .action : flags.contains("notification") ? .notice : .message
        return (kind, name, sender.key, action ?? words)
    }

    private func event(_ words: String) -> Content {
        guard let event = ThunderbirdEvent(words, hasSpaces: network != "irc") else {
            return (.system, nil, nil, words)
        }
        return (event.kind, event.sender, nil, event.body)
    }
}

/// The first line of a log.
private struct ThunderbirdHead {
    let network: String
    let account: String?
    let isChat: Bool
    let room: String?
    /// The room's id, where its name is not its address.
    let roomKey: String?

    init?(_ beginning: [UInt8]) {
        let line = IRCLog.eachLine(of: beginning).first { _ in true } ?? []
        guard line.first == UInt8(ascii: "{"),
            let json = try? JSONValue(object: LogLine(number: 1, bytes: line), limit: ThunderbirdFormat.maximumLine),
            json["date"]?.text != nil, let network = json["protocol"]?.text, let chat = json["isChat"]?.truth,
            json["normalizedName"]?.text != nil || json["name"]?.text != nil, json.has("account")
        else { return nil }
        (self.network, isChat) = (network, chat)
        account = ExportText.name(json["account"]?.text)
        let (name, address) = (json["name"]?.text, json["normalizedName"]?.text)
        // Instantbird 1.2 has no `normalizedName`. On IRC it is in lower case.
        room = network == "irc" || network == "matrix" ? ExportText.name(name, address) : ExportText.name(address, name)
        roomKey = network == "matrix" ? ExportText.name(address) : nil
    }
}
