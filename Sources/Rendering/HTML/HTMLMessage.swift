package import ChatModel

/// One message as an element of a day's list.
///
/// It has at most 960,000 bytes: 660,000 of text, 60,000 of styles, and 100,000 each of files and reactions.
package struct HTMLMessage {
    package let message: Message
    package let moment: LocalMoment
    /// True if the message above has the same sender. The name is then hidden, except from screen readers.
    package let isContinued: Bool
    /// True if the message that this one answers is in the same file.
    package let linksReply: Bool

    package init(message: Message, moment: LocalMoment, isContinued: Bool, linksReply: Bool) {
        (self.message, self.moment, self.isContinued, self.linksReply) = (message, moment, isContinued, linksReply)
    }

    /// The message as a `<li>` element with the message's id.
    package var html: String {
        let id = message.id.description
        return "<li class=\"m\(isContinued ? " f" : "")\" id=\"\(id)\">\(Self.time(id, moment))<div>"
            + name + reply + words + files + reactions + "</div></li>\n"
    }

    /// The message as a `<span>` element, for an event in a line with others.
    package var quiet: String {
        let id = message.id.description
        return "<span id=\"\(id)\">\(Self.time(id, moment)) \(event)\(marks)</span>\n"
    }

    /// Returns the time as a link to the message.
    private static func time(_ id: String, _ moment: LocalMoment) -> String {
        "<a class=\"t\" href=\"#\(id)\" title=\"\(moment.second)\">"
            + "<time datetime=\"\(moment.machine)\">\(moment.minute)</time></a>"
    }

    private var sender: String {
        Self.sender(message.sender, isHidden: false)
    }

    private static func sender(_ sender: Message.Sender?, isHidden: Bool) -> String {
        // Uses the user's number, so that the colour stays after a change of the name.
        let color = UInt64(bitPattern: sender?.id ?? 0) % UInt64(HTMLStyle.nameColors.count)
        let name = sender.map { $0.name.isEmpty ? "(no name)" : HTMLText.name($0.name) } ?? "someone"
        return "<b class=\"n c\(color)\(isHidden ? " v" : "")\"><bdi>\(name)</bdi></b>"
    }

    /// The name above a text; empty for kinds whose sentence contains the name.
    private var name: String {
        message.kind == .message ? Self.sender(message.sender, isHidden: isContinued) + " " : ""
    }

    private var words: String {
        let text = message.body.map(HTMLText.body) ?? ""
        switch message.kind {
        case .message: return block(text)
        case .action: return inline("<i>\(sender) <bdi class=\"b\">\(text)</bdi></i>")
        case .notice: return inline("\(sender) <span class=\"k\">notice</span> <bdi class=\"b\">\(text)</bdi>")
        case .system: return inline("<span class=\"k\">system</span> <bdi class=\"b\">\(text)</bdi>")
        case .join, .leave, .kick, .rename, .topic, .mode, .invite: return inline(event)
        }
    }

    private var event: String {
        let words = MessageRemarks.eventWords(message.kind) ?? ""
        guard let body = message.body, !body.isEmpty else { return "\(sender) \(words)" }
        let text = "<bdi class=\"b\">\(HTMLText.body(body))</bdi>"
        return "\(sender) \(words) " + (MessageRemarks.isReason(message.kind) ? "(\(text))" : text)
    }

    private func inline(_ html: String) -> String {
        "<div class=\"a\">\(wrapDeleted(html))\(marks)</div>"
    }

    private func block(_ text: String) -> String {
        let body = message.body ?? ""
        let lines = body.utf8.count { $0 == UInt8(ascii: "\n") }
        let isCode = MessageRemarks.isCodeLike(body)
        let classes = "b" + (isCode ? " p" : "") + (lines > 40 ? " l" : "")
        // A long block has its own scroll bar, which the keyboard must reach.
        let focus = lines > 40 ? " tabindex=\"0\"" : ""
        return "<div class=\"\(classes)\" dir=\"auto\"\(focus)>\(wrapDeleted(text))</div>"
            + (marks.isEmpty ? "" : "<small class=\"k\">\(marks)</small>")
    }

    private func wrapDeleted(_ html: String) -> String {
        message.deletedAt == nil || html.isEmpty ? html : "<del>\(html)</del>"
    }

    private var marks: String {
        let marks = MessageRemarks.marks(message)
        return marks.isEmpty ? "" : " <span class=\"k\" lang=\"en\">(\(marks.joined(separator: ", ")))</span>"
    }

    private var reply: String {
        guard let reply = message.reply, let id = reply.id else { return "" }
        let text = HTMLText.escape(ReplyText.excerpt(reply, width: 80))
        let words = "<span aria-label=\"in reply to\" role=\"img\">↪</span> <bdi>\(text)</bdi>"
        return linksReply ? "<a class=\"r\" href=\"#\(id)\">\(words)</a>" : "<span class=\"r\">\(words)</span>"
    }

    private var files: String {
        list(message.attachments, class: "x", piece: Self.file) { "and \($0.grouped) more files" }
    }

    private static func file(_ file: Attachment) -> String {
        let name = HTMLText.name(file.name)
        let size = file.size.map { ", \(ByteCount($0))" } ?? ""
        guard BodyLink.isLink(file.path) else { return "<bdi>\(name)</bdi> (\(file.kind.rawValue)\(size))" }
        // The file's name alone could look like another site.
        let host = HTMLText.name(BodyLink.host(file.path))
        return HTMLText.link(file.path, text: "<bdi>\(name)</bdi>") + " (\(file.kind.rawValue)\(size), \(host))"
    }

    private var reactions: String {
        list(message.reactions, class: "e", piece: Self.reaction) { "and \($0.grouped) more reactions" }
    }

    private static func reaction(_ reaction: Message.Reaction) -> String {
        "<bdi>\(HTMLText.name(reaction.text, limit: 64))</bdi> "
            + "<bdi>\(HTMLText.escape(MessageRemarks.people(reaction.by)))</bdi>"
    }

    private func list<Element>(
        _ elements: [Element], class name: String, piece: (Element) -> String, rest: (Int) -> String
    ) -> String {
        guard !elements.isEmpty else { return "" }
        let shown = HTMLText.some(elements, count: 100, bytes: 100_000, piece: piece, rest: rest)
        return "<ul class=\"\(name)\">" + shown.map { "<li>\($0)</li>" }.joined() + "</ul>"
    }
}
