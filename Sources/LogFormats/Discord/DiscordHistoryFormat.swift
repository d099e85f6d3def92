import Bytes
import ChatModel

/// The text archive of Discord History Tracker (`dht.txt`, until version 31; later versions have a database): one object
/// with the people and channels in `meta`, and the messages in `data` by channel and id.
///
/// The ids are Discord's, as in the files of DiscordChatExporter.
package struct DiscordHistoryFormat: LogFormat {
    package static let name = "discord-history"
    package static let programs = "Discord History Tracker (dht.txt)"
    /// 1 MiB: a message has some kilobytes.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false

    private struct Channel {
        var name: String
        var server: Int
        var topic: String?
    }

    private var users: [String: String] = [:]
    private var order: [String] = []
    /// The types of servers: `server`, `group` or `dm`.
    private var servers: [String] = []
    private var channels: [String: Channel] = [:]
    private var budget = NameBudget()
    private var omissions = ExportOmissions()

    private static let places = [
        "meta.users.*", "meta.userindex[]", "meta.servers[]", "meta.channels.*", "data.*.*",
    ]

    package static func recognises(_ source: LogSource) -> Bool {
        let pieces = JSONPieceCutter.pieces(of: source.beginning, at: places)
        return pieces.contains { $0.place == "meta.userindex[]" } && pieces.contains { $0.place == "meta.users.*" }
    }

    package static func cutter() -> any SourceCutter { JSONPieceCutter(places: places, maximumPiece: maximumLine) }

    package init(_ source: LogSource) {}

    package var hasOwnRooms: Bool { true }
    package var assumptions: [String] { omissions.assumptions(zone: "") + budget.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            let json = try JSONValue(line, limit: Self.maximumLine)
            let id = line.keys.last ?? ""
            switch line.place {
            case "meta.userindex[]":
                let user = try json.scalar().text
                if budget.reserve(user) { order.append(user) }
            case "meta.users.*":
                let name = ExportText.name(try json.text("displayName"), try json.text("name"), id) ?? id
                if budget.reserve(id, name) { users[id] = name }
            case "meta.servers[]":
                let type = try json.text("type")?.lowercased() ?? ""
                if budget.reserve(type) { servers.append(type) }
            case "meta.channels.*":
                let server = try json.scalar("server")?.integer.map { Int(clamping: $0) } ?? -1
                let topic = ExportText(lines: [try json.text("topic")]).string
                let name = ExportText.name(try json.text("name"), id) ?? id
                if budget.reserve(id, name, topic) { channels[id] = Channel(name: name, server: server, topic: topic) }
            default:
                guard line.keys.count == 3 else { throw UnreadablePiece("it is not a message") }
                return .message(try message(json, id: id, in: line.keys[1]))
            }
            return .nothing
        } catch {
            return .unreadable(error.reason)
        }
    }

    private mutating func message(
        _ json: JSONValue, id: String, in channelID: String
    ) throws(UnreadablePiece) -> ImportedMessage {
        guard let milliseconds = try json.required("t").scalar().integer else {
            throw UnreadablePiece("its \"t\" is not a whole number")
        }
        guard let index = try json.required("u").scalar().integer, let user = order[checking: index] else {
            throw UnreadablePiece("the export names no author of it")
        }
        let channel = channels[channelID]
        var lines: [String?] = [try json.text("m")]
        for embed in try json.objects("e") {
            for key in ["t", "d"] as [StaticString] { lines.append(try embed.text(key)) }
        }
        let text = ExportText(lines: lines)
        var imported = ImportedMessage(
            room: channel?.name ?? channelID, roomKey: channelID.withoutNUL, roomKind: kind(of: channel),
            kind: .message, sender: users[user] ?? user, senderKey: user, body: text.string,
            time: Timestamp(milliseconds: milliseconds), resolution: .microsecond, remoteID: id.withoutNUL,
            flags: json.flags.union(text.flags),
            editedAt: try json.scalar("te")?.integer.map(Timestamp.init(milliseconds:)),
            replyTo: try json.scalar("r")?.id)
        for file in try json.objects("a") {
            guard let address = try file.text("url"), !address.isEmpty else { continue }
            imported.files.append(ImportedMessage.File(path: DiscordFormat.path(address)))
        }
        for reaction in try json.objects("re") {
            omissions.count(reactions: try reaction.scalar("c")?.integer, named: 0)
        }
        if let topic = channel?.topic { imported.facts = ImportedFacts(description: topic) }
        return imported
    }

    private func kind(of channel: Channel?) -> RoomReference.Kind {
        switch channel.flatMap({ servers[checking: Int64($0.server)] }) {
        case "dm": .direct
        case "group": .group
        default: .channel
        }
    }
}

extension Array {
    /// Returns the element at an index from a file; nil if there is none.
    fileprivate subscript(checking index: Int64) -> Element? {
        Int(exactly: index).flatMap { indices.contains($0) ? self[$0] : nil }
    }
}
