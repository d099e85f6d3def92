import Bytes
import ChatModel

/// The content of a post or a reply in Mattermost's bulk export (`PostImportData` of its sources).
struct MattermostPost {
    private(set) var kind = MessageKind.message
    private(set) var lines: [String?] = []
    private(set) var files: [ImportedMessage.File] = []
    private(set) var reactions: [ImportedMessage.Reaction] = []
    private(set) var isDeleted = false

    init(_ json: JSONValue) throws(UnreadablePiece) {
        let text = try json.text("message") ?? ""
        let props = try json.object("props")
        switch try json.text("type") ?? "" {
        case "system_join_channel", "system_join_team": kind = .join
        case "system_leave_channel", "system_leave_team": kind = .leave
        case "system_add_to_channel", "system_add_to_team":
            (kind, lines) = (.invite, [try props?.text("addedUsername") ?? text])
        case "system_remove_from_channel", "system_remove_from_team":
            (kind, lines) = (.kick, [try props?.text("removedUsername") ?? text])
        case "me": (kind, lines) = (.action, [Self.withoutStars(text)])
        case let type where type.hasPrefix("system_"): (kind, lines) = (.action, [text])
        default:
            lines = [text]
            for attachment in try props?.objects("attachments") ?? [] {
                for key in ["pretext", "title", "text"] as [StaticString] { lines.append(try attachment.text(key)) }
            }
        }
        isDeleted = props?["deleted"]?.truth ?? false
        for attachment in try json.objects("attachments") {
            guard let path = try attachment.text("path")?.withoutNUL, !path.isEmpty else { continue }
            files.append(ImportedMessage.File(path: "data/\(path)", copies: [path]))
        }
        for reaction in try json.objects("reactions") {
            guard let user = ExportText.name(try reaction.text("user")) else { continue }
            let name = ExportText.name(try reaction.text("emoji_name")) ?? "?"
            reactions.append(
                ImportedMessage.Reaction(
                    text: ":\(name):", user: user, userKey: user,
                    at: try reaction.scalar("create_at")?.integer.map(Timestamp.init(milliseconds:))))
        }
    }

    /// Returns `waves` for `*waves*`, as Mattermost writes `/me waves`.
    private static func withoutStars(_ text: String) -> String {
        text.utf8.count > 2 && text.hasPrefix("*") && text.hasSuffix("*") ? String(text.dropFirst().dropLast()) : text
    }
}
