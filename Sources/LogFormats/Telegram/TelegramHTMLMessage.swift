/// A message of Telegram Desktop's HTML export, or an event, as its page shows it.
struct TelegramHTMLMessage {
    /// A file, a place, a contact and so on.
    struct Media {
        /// The class of the element, which gives the kind, such as `media_file` or `photo_wrap`.
        var kind: String
        /// The path of its file or the address of its place; nil if the export has neither.
        var address: String?
        var title = ""
        var description = ""
        var status = ""
    }

    struct Reaction {
        var text = ""
        /// The names of the first people, which may be fewer than reacted.
        var names: [String] = []
        var count: Int64?
    }

    /// The number of the message; negative for the days between messages.
    fileprivate(set) var id = ""
    fileprivate(set) var isService = false
    /// True if the page does not show the sender, because the message follows another one of the same sender.
    fileprivate(set) var isJoined = false
    /// The time as the page shows it, such as `21.11.2026 15:23:11 UTC+09:00`.
    fileprivate(set) var date: String?
    fileprivate(set) var name: String?
    fileprivate(set) var isForwarded = false
    /// Nil for a forwarded message that follows another one from the same person.
    fileprivate(set) var forwardedName: String?
    fileprivate(set) var answered: String?
    fileprivate(set) var text = ""
    /// The words of an event.
    fileprivate(set) var event = ""
    /// The question, and after it the choices.
    fileprivate(set) var poll: [String] = []
    fileprivate(set) var media: [Media] = []
    fileprivate(set) var reactions: [Reaction] = []

    /// - Throws: ``UnreadablePiece`` if the message is not whole.
    init(_ bytes: ArraySlice<UInt8>) throws(UnreadablePiece) {
        var reader = TelegramHTMLReader()
        var scanner = HTMLScanner(bytes)
        while let token = scanner.next() {
            try reader.take(token)
            if reader.isAtEnd { break }
        }
        guard reader.isAtEnd else { throw UnreadablePiece("the HTML of the message is not whole") }
        self = reader.message
    }

    fileprivate init() {}

    /// Returns the chat's name in the part of a page before its messages; nil if there is none.
    static func roomName(in head: ArraySlice<UInt8>) -> String? {
        var scanner = HTMLScanner(head)
        var isHeader = false
        var name: [UInt8]?
        while let token = scanner.next() {
            switch token {
            case .opening(let tag):
                let classes = tag.classes
                if classes.contains("page_header") { isHeader = true }
                if isHeader, name == nil, classes.contains("text") { name = [] }
            case .text(let text): name? += HTMLText(text).bytes
            case .closing: if let name { return ExportText.name(String(decoding: name, as: UTF8.self).trimmedOfBlanks) }
            }
        }
        return nil
    }
}

/// Gathers the fields of a message from its tags and texts.
private struct TelegramHTMLReader {
    private enum Field {
        case name, forwardedName, text, event, title, description, status, question, answer, emoji, count
        case skipped
    }

    private struct Element {
        var name: ArraySlice<UInt8>
        /// The field that the element's texts belong to; nil for that of the element around it.
        var field: Field?
        /// The address of a link in a text, and the text's size before it.
        var link: (address: String, start: Int)?
    }

    private(set) var message = TelegramHTMLMessage()
    private(set) var isAtEnd = false
    /// The open elements, the innermost last.
    private var open: [Element] = []
    private var buffer: [UInt8] = []

    /// The limit of elements within each other. Telegram writes about ten.
    private static let maximumDepth = 64

    mutating func take(_ token: HTMLScanner.Token) throws(UnreadablePiece) {
        switch token {
        case .text(let bytes):
            guard let field, field != .skipped else { return }
            buffer += HTMLText(bytes).bytes
        case .opening(let tag):
            if tag.isNamed("br"), field != nil { buffer.append(UInt8(ascii: "\n")) }
            guard !tag.isVoid else { return }
            guard open.count < Self.maximumDepth else {
                throw UnreadablePiece("more than \(Self.maximumDepth) elements within each other")
            }
            begin(tag)
        case .closing(let name):
            guard let index = open.lastIndex(where: { $0.name.elementsEqual(name) }) else { return }
            while open.count > index, let element = open.popLast() { end(element) }
            isAtEnd = open.isEmpty
        }
    }

    private var field: Field? { open.last { $0.field != nil }?.field }

    private mutating func begin(_ tag: HTMLTag) {
        let isRoot = open.isEmpty
        var element = Element(name: tag.name)
        if isRoot {
            beginMessage(tag)
        } else if field == .text || field == .event {
            if tag.isNamed("a") { element.link = link(tag) }
        } else {
            let classes = tag.classes
            element.field = self.field(of: tag, classes)
            note(tag, classes)
            if let field = element.field, field != .skipped { buffer = [] }
        }
        open.append(element)
    }

    private mutating func beginMessage(_ tag: HTMLTag) {
        let classes = tag.classes
        message.isService = classes.contains("service")
        message.isJoined = classes.contains("joined")
        message.id = String(tag.attribute("id")?.dropFirst("message".count) ?? "")
    }

    /// Notes the message that a link leads to, or returns the address for its words.
    private mutating func link(_ tag: HTMLTag) -> (address: String, start: Int)? {
        guard let address = tag.attribute("href") else { return nil }
        if field == .event {
            noteAnswered(address)
            return nil
        }
        return (address, buffer.count)
    }

    /// Notes the number in `messages2.html#go_to_message123`.
    private mutating func noteAnswered(_ address: String) {
        let words = "#go_to_message"
        guard message.answered == nil, let range = Array(address.utf8)[...].range(of: words) else { return }
        let id = address.utf8.dropFirst(range.upperBound).prefix(20)
        if !id.isEmpty { message.answered = String(decoding: id, as: UTF8.self) }
    }

    private func field(of tag: HTMLTag, _ classes: [Substring]) -> Field? {
        if field == .skipped { return nil }
        for name in classes {
            switch name {
            case "body" where message.isService: return .event
            case "userpic_wrap", "initials", "date", "signature", "reply_to", "fill", "video_play_bg", "video_duration",
                "bot_buttons_table", "bot_button":
                return .skipped
            case "from_name": return message.isForwarded ? .forwardedName : .name
            case "text": return .text
            case "title", "description", "status": return message.media.isEmpty ? nil : Self.mediaFields[name]
            case "question": return .question
            case "answer": return .answer
            case "details" where field == .answer: return .skipped
            case "emoji": return .emoji
            case "count": return .count
            default: break
            }
        }
        return nil
    }

    private static let mediaFields: [Substring: Field] = [
        "title": .title, "description": .description, "status": .status,
    ]
    private static let wraps: Set<Substring> = ["photo_wrap", "video_file_wrap", "animated_wrap", "sticker_wrap"]

    /// Notes the facts in the tag's own attributes.
    private mutating func note(_ tag: HTMLTag, _ classes: [Substring]) {
        if classes.contains("date"), !message.isForwarded, message.date == nil { message.date = tag.attribute("title") }
        if classes.contains("forwarded"), classes.contains("body") { message.isForwarded = true }
        if tag.isNamed("a"), let address = tag.attribute("href") { noteAnswered(address) }
        if classes.contains("reaction") { message.reactions.append(TelegramHTMLMessage.Reaction()) }
        if classes.contains("initials"), let name = ExportText.name(tag.attribute("title")?.trimmedOfBlanks),
            !message.reactions.isEmpty
        {
            message.reactions[message.reactions.count - 1].names.append(name)
        }
        let kind = classes.first { Self.wraps.contains($0) || $0.hasPrefix("media_") && $0 != "media_wrap" }
        if let kind, kind != "media_poll" {
            message.media.append(TelegramHTMLMessage.Media(kind: String(kind), address: tag.attribute("href")))
        } else if message.isService, classes.contains("userpic_link") {
            message.media.append(TelegramHTMLMessage.Media(kind: "photo_wrap", address: tag.attribute("href")))
        }
    }

    private mutating func end(_ element: Element) {
        if let link = element.link { endLink(link) }
        guard let field = element.field, field != .skipped else { return }
        let text = String(decoding: buffer, as: UTF8.self)
        buffer = []
        let plain = text.trimmedOfBlanks
        let last = message.media.count - 1
        let reaction = message.reactions.count - 1
        switch field {
        case .name: message.name = plain
        case .forwardedName: message.forwardedName = plain
        case .text: message.text = text.withoutIndent
        case .event: message.event = plain
        case .title where last >= 0: message.media[last].title = plain
        case .description where last >= 0: message.media[last].description = plain
        case .status where last >= 0: message.media[last].status = plain
        case .question, .answer: message.poll.append(plain)
        case .emoji where reaction >= 0: message.reactions[reaction].text = plain
        case .count where reaction >= 0: message.reactions[reaction].count = Int64(plain)
        default: break
        }
    }

    /// Adds the address of a link to its words, unless the words contain it or the link leads into the export.
    private mutating func endLink(_ link: (address: String, start: Int)) {
        let words = String(decoding: buffer[min(link.start, buffer.count)...], as: UTF8.self)
        let isSaid =
            [words, "mailto:" + words, "tel:" + words].contains(link.address)
            || words.hasPrefix("@") && link.address.hasSuffix("/" + words.dropFirst())
        guard !isSaid, link.address.utf8.contains(UInt8(ascii: ":")) else { return }
        buffer += " (\(link.address))".utf8
    }
}

extension String {
    /// The text without the line end after the opening tag, and without the one before the closing tag, with the spaces
    /// before that.
    fileprivate var withoutIndent: String {
        var bytes = Array(utf8)[...]
        if bytes.first == 0x0A { bytes = bytes.dropFirst() }
        let end = bytes.lastIndex { $0 != 0x20 }
        if let end, bytes[end] == 0x0A { bytes = bytes[..<end] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
