import ChatModel
import Rendering
import SearchText

/// Hits as elements of a list, each with its place and its words highlighted.
struct SearchHits {
    let highlighter: Highlighter
    let zone: Zone
    /// True if hits may be of several accounts.
    let hasAccounts: Bool

    func hit(_ message: Message) -> HTML {
        "<li>\(place(message))<ol>\n\(html(message, isHit: true))</ol></li>\n"
    }

    /// Returns hits with the messages around them.
    func group(_ group: HitGroup) -> HTML {
        guard let first = group.messages.first(where: { group.hits.contains($0.id) }) ?? group.messages.first else {
            return ""
        }
        var day = LocalMoment(first.time, in: zone).day
        let messages = group.messages.map { message -> HTML in
            let moment = LocalMoment(message.time, in: zone)
            let line: HTML = moment.day == day ? "" : "<li class=\"w\">\(moment.dayInWords)</li>\n"
            day = moment.day
            return line + html(message, isHit: group.hits.contains(message.id))
        }
        return "<li class=\"with-context\">\(place(first))<ol>\n\(messages.joined())</ol></li>\n"
    }

    private func place(_ message: Message) -> HTML {
        let moment = LocalMoment(message.time, in: zone)
        let room = HTMLText.name(message.room.isEmpty ? "(no name)" : message.room)
        let address = HTMLAddress.place(message.id, message.account, message.roomID)
        return
            "<p class=\"place\"><a href=\"\(address)\"><bdi>\(room)</bdi></a> <bdi>\(HTMLText.name(message.account))</bdi> "
            + "<span>\(moment.dayInWords)</span></p>"
    }

    private func html(_ message: Message, isHit: Bool) -> HTML {
        var html = HTMLMessage(
            message: message, moment: LocalMoment(message.time, in: zone), isContinued: false, linksReply: false)
        html.place = .server(hasAccounts: hasAccounts)
        html.isHit = isHit
        if isHit { html.ranges = highlighter.ranges }
        return html.html
    }
}
