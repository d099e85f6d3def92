import ChatModel
import Files
import Hummingbird
import Operations
import Reading
import Rendering

/// Everything that the archive knows about one message.
struct MessagePage {
    let visit: PageVisit
    let account: String
    let id: String

    /// The limit of messages of a conversation on one page.
    private static let conversationLimit = 200

    func response() throws -> Response {
        let parameters = try visit.parameters([.after, .before])
        let zone = parameters.has("utc") ? .gmt : visit.zone
        let operation = MessageOperation(id: try MessageOperation.id(id), account: account)
        let bounds = TimeBounds(after: parameters.text("after"), before: parameters.text("before"))
        let anchor = try bounds.threadAnchor(zone: zone) ?? .around(operation.id)
        let (detail, thread) = try visit.site.readInPlace(as: visit.visitor) { reading in
            let detail = try operation.detail(in: reading)
            let query = try ThreadQuery(
                message: operation.id, account: account, anchor: anchor, limit: Self.conversationLimit)
            let thread: MessageThread? =
                if case .found(let thread) = try reading.thread(query) { thread } else { nil }
            return (detail, thread)
        }
        let message = detail.message
        var frame = PageFrame(
            title: "Message in \(message.room)",
            heading: "<a href=\"\(HTMLAddress.room(message.account, message.roomID))#end\">"
                + "<bdi>\(HTMLText.name(message.room.isEmpty ? "(no name)" : message.room))</bdi></a><small>Message</small>"
        )
        (frame.zone, frame.copy) = (zone, visit.copy)
        let conversation = try conversation(thread, of: message.id, PageAddress(visit), zone: zone)
        // A conversation shows the message itself, unless it is on another page of it.
        let isShown = !conversation.isEmpty && thread?.page.messages.contains { $0.id == message.id } ?? false
        let card: HTML = isShown ? "" : card(message, zone: zone)
        return visit.respond(frame.page(try content(detail, card: card, conversation, zone: zone)))
    }

    private func card(_ message: Message, zone: Zone) -> HTML {
        var html = HTMLMessage(
            message: message, moment: LocalMoment(message.time, in: zone), isContinued: false, linksReply: false)
        html.place = .server(hasAccounts: false)
        return "<ol class=\"card\">\n\(html.html)</ol>\n"
    }

    private func content(
        _ detail: MessageDetail, card: HTML, _ conversation: HTML, zone: Zone
    ) throws -> HTML {
        let message = detail.message
        let moment = LocalMoment(message.time, in: zone)
        return """
            <main id="main">
            <h2 class="page-title">\(moment.dayInWords), \(moment.second)</h2>
            \(card)<p class="bar part"><a class="button" href="\(HTMLAddress.place(message.id, message.account, message.roomID))">\
            Show it among the messages around it</a></p>
            \(card.isEmpty ? conversation : "")\(try versions(detail, zone: zone))\(card.isEmpty ? "" : conversation)\(facts(detail, zone: zone))</main>

            """
    }

    // MARK: Versions

    private func versions(_ detail: MessageDetail, zone: Zone) throws -> HTML {
        guard detail.versions.count > 1 else { return "" }
        let items = try detail.versions.enumerated().reversed().map { index, version -> HTML in
            // Comparing many long versions takes seconds.
            try ReadLimit.current?.check()
            let moment = LocalMoment(version.at, in: zone)
            let before = index > 0 ? detail.versions[index - 1].body : nil
            let text: HTML =
                index == 0
                ? HTMLText.body(version.body ?? "") : WordDifference(from: before ?? "", to: version.body ?? "").html
            let name = detail.areVersionsCut ? "Text" : index == 0 ? "First text" : "Version \(index + 1)"
            return
                "<li><h3>\(name), \(moment.dayInWords), \(moment.second)</h3>"
                + "<div class=\"diff\" dir=\"auto\">\(text)</div></li>\n"
        }
        return
            "<section class=\"part\" id=\"versions\">\n<h2>\(detail.areVersionsCut ? "The last " : "")\(detail.versions.count) versions, the newest first</h2>\n"
            + "<ol class=\"versions\" reversed>\n\(items.joined())</ol>\n</section>\n"
    }

    // MARK: Conversation

    private func conversation(
        _ thread: MessageThread?, of message: MessageID, _ address: PageAddress, zone: Zone
    ) -> HTML {
        guard let thread, thread.outline.ids.count > 1 || thread.outline.rootState == .missing else { return "" }
        var settings = HTMLMessageList.Settings(zone: zone, place: .server(hasAccounts: true))
        (settings.here, settings.hasActions) = (message, false)
        var list = HTMLMessageList(settings)
        func link(_ id: MessageID?, _ name: String, _ relation: String, _ arrow: String, _ words: String) -> HTML {
            guard let id else { return "" }
            return "<nav class=\"edge\" aria-label=\"\(words)\"><a class=\"button\" rel=\"\(relation)\" "
                + "href=\"\(address.with(name, id.description))#conversation\">\(arrow) \(words)</a></nav>\n"
        }
        return
            "<section class=\"part\" id=\"conversation\">\n<h2>Conversation of \(thread.outline.ids.count.of(.message))</h2>\n"
            + (thread.outline.rootState == .missing
                ? "<p class=\"facts\">The message that it begins with is not in the archive.</p>\n" : "")
            + link(thread.page.older, "before", "prev", "↑", "Older messages")
            + "<div class=\"log\" lang=\"\">\n\(list.page(thread.page.messages, gaps: []))</div>\n"
            + link(thread.page.newer, "after", "next", "↓", "Newer messages") + "</section>\n"
    }

    // MARK: Facts

    private func facts(_ detail: MessageDetail, zone: Zone) -> HTML {
        let text = MessageDetailText(time: LocalTime(zone: zone), style: .plain, now: .now())
        let rows = text.facts(detail).map { label, text -> HTML in
            "<dt>\(HTMLText.line(label))</dt><dd dir=\"auto\">\(HTMLText.line(MessageRemarks.cut(text, to: 4096)))</dd>\n"
        }
        return
            "<section class=\"part\" id=\"facts\">\n<h2>Facts</h2>\n<dl class=\"detail\">\n\(rows.joined())</dl>\n</section>\n"
    }
}
