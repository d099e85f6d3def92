package import ChatModel

/// One message as an element of a day's list.
///
/// It has at most 960,000 bytes: 660,000 of text, 60,000 of styles, and 100,000 each of files and reactions.
package struct HTMLMessage {
    package let message: Message
    package let moment: LocalMoment
    /// True if the message above has the same sender. The name is then hidden, except from screen readers.
    package let isContinued: Bool
    /// True if the message that this one replies to is in the same file or page.
    package let linksReply: Bool
    package var place = HTMLPlace.file
    /// Returns the ranges of the body to highlight; nil for none.
    package var ranges: BodyRanges?
    /// True for the message that the page was opened for.
    package var isHere = false
    /// True if the message that the page was opened for links to everything about it.
    var hasActions = true
    /// True for a hit among other messages.
    package var isHit = false
    /// The copies of the message's files, for a page without a server that has copies.
    var copies: [Attachment: FileCopy] = [:]

    package init(message: Message, moment: LocalMoment, isContinued: Bool, linksReply: Bool) {
        (self.message, self.moment, self.isContinued, self.linksReply) = (message, moment, isContinued, linksReply)
    }

    /// The message as a `<li>` element with the message's id.
    package var html: HTML {
        let classes = "m" + (isContinued ? " f" : "") + (isHere ? " here" : "") + (isHit ? " hit" : "")
        return "<li class=\"\(classes)\" id=\"\(anchor)\">\(time)<div>"
            + name + reply + words + files + reactions + actions + "</div></li>\n"
    }

    /// The message as a `<span>` element, for an event in a line with others.
    package var quiet: HTML {
        "<span\(isHere ? " class=\"here\"" : "") id=\"\(anchor)\">\(time) \(event)\(marks)</span>\n"
    }

    private var anchor: String { place.anchor(message.id, of: message.account) }

    /// The time as a link to the message.
    private var time: HTML {
        let address =
            place == .file ? "#\(anchor)" : HTMLAddress.place(message.id, message.account, message.roomID)
        let exact = place == .file ? moment.second : "\(moment.dayInWords), \(moment.second) (\(moment.offset))"
        return "<a class=\"t\" href=\"\(address)\" title=\"\(exact)\">"
            + "<time datetime=\"\(moment.machine)\">\(moment.minute)</time></a>"
    }

    private var sender: HTML {
        Self.sender(message.sender, isHidden: false) + via
    }

    private static func sender(_ sender: Message.Sender?, isHidden: Bool) -> HTML {
        // Uses the user's number, so that the colour stays after a change of the name.
        let color = UInt64(bitPattern: sender?.id ?? 0) % UInt64(HTMLStyle.nameColors.count)
        let name: HTML = sender.map { $0.name.isEmpty ? "(no name)" : HTMLText.name($0.name) } ?? "someone"
        // Another person of the room has this name.
        let key = sender.flatMap { $0.isAmbiguous && !isHidden ? $0.key : nil }
        let id: HTML = key.map { " <small class=\"k\"><bdi>\(HTMLText.name($0))</bdi></small>" } ?? ""
        return "<b class=\"n c\(color)\(isHidden ? " v" : "")\"><bdi>\(name)</bdi></b>\(id)"
    }

    /// The bridge by which the sender wrote; empty for none.
    private var via: HTML {
        message.via.map { " <small class=\"k\" lang=\"en\">via <bdi>\(HTMLText.name($0.bot))</bdi></small>" } ?? ""
    }

    /// The sender's picture; of an exported page, its copy beside the page.
    private var face: HTML {
        guard !isContinued, let picture = message.sender?.picture else { return "" }
        let copy: String? = if case .beside(let address)? = copies[picture.file] { address } else { nil }
        return HTMLPicture(picture, place: place, copy: copy).html
    }

    /// The name above a text; empty for kinds whose sentence contains the name.
    private var name: HTML {
        guard message.kind == .message else { return "" }
        return face + Self.sender(message.sender, isHidden: isContinued) + (isContinued ? "" : via) + " "
    }

    private func text(_ body: String) -> HTML {
        HTMLText.body(body, ranges: ranges)
    }

    private var words: HTML {
        let text = message.body.map(text) ?? ""
        switch message.kind {
        case .message: return block(text)
        case .action: return inline("<i>\(sender) <bdi class=\"b\">\(text)</bdi></i>")
        case .notice: return inline("\(sender) <span class=\"k\">notice</span> <bdi class=\"b\">\(text)</bdi>")
        case .system: return inline("<span class=\"k\">system</span> <bdi class=\"b\">\(text)</bdi>")
        case .join, .leave, .kick, .rename, .topic, .mode, .invite: return inline(event)
        }
    }

    private var event: HTML {
        let words = MessageRemarks.eventWords(message) ?? ""
        let standing = MessageRemarks.standingTopic(message, zone: moment.zone)
        guard let body = message.body, !body.isEmpty else {
            return standing.map { "\($0.before)" } ?? "\(sender) \(words)"
        }
        let text: HTML = "<bdi class=\"b\">\(text(body))</bdi>"
        if let standing { return "\(standing.before) \(text) \(standing.after)" }
        return "\(sender) \(words) " + (MessageRemarks.isReason(message.kind) ? "(\(text))" : text)
    }

    private func inline(_ html: HTML) -> HTML {
        "<div class=\"a\">\(wrapDeleted(html))\(marks)</div>"
    }

    private func block(_ text: HTML) -> HTML {
        let body = message.body ?? ""
        // A message that has only files, or whose text was removed, needs no empty line.
        guard !body.isEmpty || place == .file else { return marks.isEmpty ? "" : "<small class=\"k\">\(marks)</small>" }
        let lines = body.utf8.count { $0 == UInt8(ascii: "\n") }
        let isCode = MessageRemarks.isCodeLike(body)
        let isLong = lines > 40 || place != .file && body.utf8.count > Self.longBody
        let classes = "b" + (isCode ? " p" : "") + (isLong ? " l" : "")
        // A long block has its own scroll bar, which the keyboard must reach.
        let focus: HTML = isLong ? " tabindex=\"0\"" : ""
        return "<div class=\"\(classes)\" dir=\"auto\"\(focus)>\(wrapDeleted(text))</div>"
            + (marks.isEmpty ? "" : "<small class=\"k\">\(marks)</small>")
    }

    /// The bytes beyond which a body on a server's page has its own scroll bar: some screens of text.
    private static let longBody = 8000

    private func wrapDeleted(_ html: HTML) -> HTML {
        message.deletedAt == nil || html.isEmpty ? html : "<del>\(html)</del>"
    }

    /// The marks; on a server, those of an edit or a deletion lead to the earlier texts.
    private var marks: HTML {
        let marks = MessageRemarks.marks(message)
        guard !marks.isEmpty else { return "" }
        let text = "(\(marks.joined(separator: ", ")))"
        guard place != .file, message.editedAt != nil || message.deletedAt != nil else {
            return " <span class=\"k\" lang=\"en\">\(text)</span>"
        }
        return " <a class=\"k\" lang=\"en\" href=\"\(HTMLAddress.message(message.id, message.account))\">\(text)</a>"
    }

    /// Links to everything about the message, for the one that the page was opened for.
    private var actions: HTML {
        guard isHere, hasActions, place != .file else { return "" }
        let address = HTMLAddress.message(message.id, message.account)
        return "<p class=\"acts\" lang=\"en\"><a href=\"\(address)\">Details and versions</a> "
            + "<a href=\"\(address)#conversation\">Conversation</a></p>"
    }

    private var reply: HTML {
        guard let reply = message.reply else { return "" }
        let arrow: HTML = "<span aria-label=\"in reply to\" role=\"img\">↪</span>"
        guard let id = reply.id else {
            return place == .file
                ? "" : "<span class=\"r\" lang=\"en\">\(arrow) a message that is not in the archive</span>"
        }
        let words: HTML = "\(arrow) <bdi>\(ReplyText.excerpt(reply, width: 80))</bdi>"
        if linksReply { return "<a class=\"r\" href=\"#\(place.anchor(id, of: message.account))\">\(words)</a>" }
        guard place != .file else { return "<span class=\"r\">\(words)</span>" }
        return "<a class=\"r\" href=\"\(HTMLAddress.place(id, message.account, message.roomID))\">\(words)</a>"
    }

    private var files: HTML {
        HTMLFiles(files: message.attachments, place: place, copies: copies).html
    }

    private var reactions: HTML {
        HTMLFiles.list(message.reactions, class: "e", piece: Self.reaction) { "and \($0.grouped) more reactions" }
    }

    private static func reaction(_ reaction: Message.Reaction) -> HTML {
        "<bdi>\(HTMLText.name(reaction.text, limit: 64))</bdi> "
            + HTMLText.people(reaction.by)
    }
}
