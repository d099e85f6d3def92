import ChatModel

/// The content of a `ChatItem` of Signal's Backup.proto, in JSON.
struct SignalMessage {
    let kind: MessageKind
    /// The person who acts, if it is not the author.
    var actor: SignalDirectory.Recipient?
    var lines: [String] = []
    var files: [SignalFile] = []
    var reactions: [JSONValue] = []
    var isDeleted = false
    /// True if the export has only the beginning of the text here, and all of it in a file.
    var isCut = false
    /// The quoted message; nil if there is none.
    var quote: JSONValue?

    /// - Throws: ``UnreadablePiece`` for an item without a content.
    init(_ item: JSONValue, _ directory: SignalDirectory) throws(UnreadablePiece) {
        if let update = try item.object("updateMessage") {
            let update = try SignalUpdate(update, directory)
            (kind, actor, lines) = (update.kind, update.actor, update.lines)
            return
        }
        kind = .message
        guard item["remoteDeletedMessage"] == nil, item["adminDeletedMessage"] == nil else {
            isDeleted = true
            return
        }
        guard let content = Self.contents.lazy.compactMap({ item[$0] }).first else {
            let kind = item.unknownKeys(besides: Self.facts, isOfParts: true).first.map {
                " (\(UnknownKinds.name($0)))"
            }
            throw UnreadablePiece("its content is unknown" + (kind ?? ""))
        }
        reactions = try content.objects("reactions")
        if let standard = try item.object("standardMessage") {
            try read(standard, directory)
        } else {
            try readOther(item, directory)
        }
    }

    private mutating func readOther(_ item: JSONValue, _ directory: SignalDirectory) throws(UnreadablePiece) {
        if let contact = try item.object("contactMessage")?.object("contact") {
            lines = [try Self.contact(contact)]
        } else if let sticker = try item.object("stickerMessage")?.object("sticker") {
            lines = [try sticker.text("emoji") ?? ""]
            if let data = try sticker.object("data") { files = [try SignalFile(data)] }
        } else if let viewed = try item.object("viewOnceMessage") {
            lines = ["[view once]"]
            if let file = try viewed.object("attachment")?.object("pointer") { files = [try SignalFile(file)] }
        } else if let story = try item.object("directStoryReplyMessage") {
            lines = ["[reply to a story]", try story.text("emoji") ?? ""]
            if let text = try story.object("textReply")?.object("text") { lines.append(try Self.text(text, directory)) }
        } else if let poll = try item.object("poll") {
            lines = [try poll.text("question") ?? ""]
            for option in try poll.objects("options") { lines.append("- " + (try option.text("option") ?? "")) }
        } else if let payment = try item.object("paymentNotification") {
            let amount = try payment.text("amountMob").map { ": \($0) MOB" } ?? ""
            lines = ["payment\(amount)", try payment.text("note") ?? ""]
        } else if item["giftBadge"] != nil {
            lines = ["gift badge"]
        }
    }

    /// The keys of objects and lists that are not contents.
    private static let facts: Set<String> = ["incoming", "outgoing", "directionless", "revisions", "pinDetails"]

    private static let contents: [StaticString] = [
        "standardMessage", "contactMessage", "stickerMessage", "viewOnceMessage", "directStoryReplyMessage", "poll",
        "paymentNotification", "giftBadge",
    ]

    private mutating func read(_ standard: JSONValue, _ directory: SignalDirectory) throws(UnreadablePiece) {
        if let text = try standard.object("text") { lines = [try Self.text(text, directory)] }
        for attachment in try standard.objects("attachments") {
            if let pointer = try attachment.object("pointer") { files.append(try SignalFile(pointer)) }
        }
        if let long = try standard.object("longText") {
            isCut = true
            files.append(try SignalFile(long))
        }
        quote = try standard.object("quote")
    }

    /// Returns a text with the names of the people whom it mentions, in place of U+FFFC.
    private static func text(_ text: JSONValue, _ directory: SignalDirectory) throws(UnreadablePiece) -> String {
        let body = try text.text("body") ?? ""
        var mentions: [(start: Int, length: Int, name: String)] = []
        for range in try text.objects("bodyRanges") {
            guard let account = try range.text("mentionAci") else { continue }
            let (start, length) = (try range.scalar("start")?.integer ?? 0, try range.scalar("length")?.integer ?? 0)
            mentions.append((Int(clamping: start), Int(clamping: length), directory.name(ofAccount: account)))
        }
        guard !mentions.isEmpty else { return body }
        let units = Array(body.utf16)
        var (result, done) = ([UInt16](), 0)
        for (start, length, name) in mentions.sorted(by: { $0.start < $1.start })
        where start >= done && length > 0 && start <= units.count && length <= units.count - start {
            result += units[done..<start] + Array("@\(name)".utf16)
            done = start + length
        }
        return String(decoding: result + units[done...], as: UTF16.self)
    }

    private static func contact(_ contact: JSONValue) throws(UnreadablePiece) -> String {
        let name = try contact.object("name")
        var parts = [try name?.text("givenName"), try name?.text("familyName")]
        for number in try contact.objects("number") { parts.append(try number.text("value")) }
        for address in try contact.objects("email") { parts.append(try address.text("value")) }
        return parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
    }
}
