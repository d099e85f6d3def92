import ChatModel
import Rendering
import SearchText

/// Facts about a room in words, as HTML.
enum RoomWords {
    static func name(_ room: Room) -> HTML {
        HTMLText.name(room.name.isEmpty ? "(no name)" : room.name)
    }

    /// Returns the number of unread messages; empty for none.
    static func unread(_ count: UnreadCount?) -> String {
        guard let count, count.count > 0 else { return "" }
        return "\(count.count.grouped)\(count.hasMore ? "+" : "")"
    }

    /// Returns a time for a list: the time of day for today, otherwise the day.
    static func when(_ id: MessageID, zone: Zone, now: Timestamp) -> HTML {
        let moment = LocalMoment(id.time, in: zone)
        let today = LocalMoment(now, in: zone)
        let text =
            moment.day == today.day
            ? moment.minute : moment.day.prefix(4) == today.day.prefix(4) ? moment.dayAndMonth : moment.day
        return "<time datetime=\"\(moment.machine)\" title=\"\(moment.dayInWords), \(moment.second)\">\(text)</time>"
    }

    /// Returns the last thing that a user said, on one line.
    static func lastSaid(of room: Room) -> HTML {
        guard let said = room.lastSaid else {
            return room.isEmptied ? "<i>messages were removed</i>" : "<i>no messages yet</i>"
        }
        if said.isDeleted { return "<i>deleted</i>" }
        let name: HTML? = said.sender.map { $0.isEmpty ? "(no name)" : $0 }.map {
            "<b><bdi>\(HTMLText.name($0, limit: 64))</bdi></b>"
        }
        let text: HTML = "<bdi>\(HTMLText.name(FormattingCodes.removed(from: said.body ?? ""), limit: 200))</bdi>"
        switch said.kind {
        case .action: return "\(name ?? "someone") \(text)"
        case .topic where said.body?.isEmpty ?? true:
            return said.isStanding ? "the topic was removed" : "\(name ?? "someone") removes the topic"
        case .topic where said.isStanding: return "the topic is: \(text)"
        case .topic: return "\(name ?? "someone") sets the topic: \(text)"
        case .kick, .invite: return "\(name ?? "someone") \(said.kind == .kick ? "has kicked" : "invites") \(text)"
        default: return (name.map { "\($0): " } ?? "") + (said.body == nil ? "<i>a file</i>" : text)
        }
    }

    /// Returns a link with the topic's beginning; empty for none.
    ///
    /// - Parameter message: The message that set the topic.
    static func topicLink(_ message: Message?) -> HTML {
        guard let message, let topic = topic(message) else { return "" }
        let text = HTMLText.name(FormattingCodes.removed(from: topic), limit: 200)
        let address = HTMLAddress.message(message.id, message.account)
        return "<a class=\"topic\" title=\"Topic\" href=\"\(address)\"><bdi>\(text)</bdi></a>"
    }

    /// Returns the topic with who set it and when; empty for none.
    static func topic(_ message: Message?, zone: Zone) -> HTML {
        guard let message, let topic = topic(message) else { return "" }
        let by: HTML = message.sender.map { " by <bdi>\(HTMLText.name($0.name))</bdi>" } ?? ""
        let isStanding = message.flags.contains(.standing)
        let setAt = isStanding ? message.sourceTime : message.time
        let moment = LocalMoment(setAt ?? message.time, in: zone)
        return "<p class=\"whole-topic\"><bdi lang=\"\">\(HTMLText.body(MessageRemarks.cut(topic, to: 1000)))</bdi>"
            + "<small>Topic, \(setAt == nil ? "seen" : "set\(by)") on \(moment.dayMonthYear)</small></p>"
    }

    /// Returns the whole description; empty for none.
    static func description(_ room: Room) -> HTML {
        room.description.map {
            "<p class=\"whole-topic\"><bdi lang=\"\">\(HTMLText.body($0))</bdi><small>Description</small></p>"
        } ?? ""
    }

    /// Returns the description's beginning and the owner, as a line below the heading; empty for neither.
    static func about(_ room: Room) -> HTML {
        let owner: HTML? = room.owner.map { "Owner: <bdi>\(HTMLText.name($0.isEmpty ? "(no name)" : $0))</bdi>" }
        let text: HTML? = room.description.map { "<bdi lang=\"\">\(HTMLText.name($0, limit: 200))</bdi>" }
        let parts = [text, owner].compactMap(\.self)
        return parts.isEmpty ? "" : "<p class=\"facts\">\(parts.joined(separator: " · "))</p>\n"
    }

    private static func topic(_ message: Message) -> String? {
        guard message.deletedAt == nil, let body = message.body else { return nil }
        return FormattingCodes.removed(from: body).isEmpty ? nil : body
    }

    /// Returns the room's messages and days in words.
    static func facts(_ room: Room, zone: Zone) -> String {
        guard let first = room.firstMessage else {
            return room.isEmptied ? "No messages are left" : "No messages yet"
        }
        let since = LocalMoment(first.time, in: zone)
        let left = room.leftAt.map { ", left on \(LocalMoment($0, in: zone).dayInWords)" } ?? ""
        let gone = room.goneAt.map { ", removed from the network on \(LocalMoment($0, in: zone).dayInWords)" } ?? ""
        return "\(room.messages.of(.message)) since \(since.dayAndMonth) \(since.day.prefix(4))\(left)\(gone)"
    }
}
