import ChatModel
import LogFormats
import Rendering

/// JSON lines for programs and for a later import: one message a line with everything that the archive has of it, and
/// one file with all records that aren't messages.
package struct JSONLinesExport: ExportFormat {
    package static let name = "jsonl"
    package static let fileExtension = "jsonl"
    package static let isExact = true
    /// The file of those records, in the export's folder.
    static let recordsFile = OwnExport.recordsFile

    package init(_ unit: ExportUnit, of export: ExportSettings) {}

    package func begin(part: Int) -> String { "" }

    /// Renders a message. Leaves out gaps, which are in the manifest.
    package func render(_ item: ExportItem) -> String {
        guard case .message(let message, let exact) = item else { return "" }
        // An import finds the bridge by the sender's key.
        var written = message.asWritten
        // The records have the pictures. Here they would change without the message.
        written.sender?.picture = nil
        return (exact.map { JSONValue(written, $0) } ?? JSONValue(written)).text + "\n"
    }

    package func end(part: Int, hasMore: Bool) -> String { "" }
}

extension JSONValue {
    /// A message's keys and the further keys of a full export; of those, null ones are left out.
    fileprivate init(_ message: Message, _ exact: ExactMessage) {
        self = .object(JSONValue(message).members + Self.members(of: exact))
    }

    private static func members(of exact: ExactMessage) -> [Member] {
        let optional: [(String, JSONValue?)] = [
            ("source_time", exact.sourceTime.map { JSONValue($0) }),
            ("room_key", .string(exact.roomKey)),
            ("room_kind", .string(exact.roomKind.rawValue)),
            ("sender_key", exact.sender?.key.map(JSONValue.string)),
            ("sender_former", exact.sender?.former.map { JSONValue($0) }),
            ("sender_is_self", .bool(exact.senderIsSelf)),
            (
                "versions",
                .array(exact.versions.map { .object(["at": JSONValue($0.at), "body": JSONValue($0.body)]) })
            ),
            ("reaction_list", .array(exact.reactions.map { JSONValue($0) })),
            ("files", .array(exact.files.map { JSONValue($0) })),
        ]
        return optional.compactMap { key, value in value.map { Member(key: key, value: $0) } }
    }

    private init(_ former: UserIdentity.Former) {
        self = .object(["name": .string(former.name), "first_seen": JSONValue(former.firstSeen)])
    }

    private init(_ reaction: ExactMessage.Reaction) {
        let members: [(String, JSONValue?)] = [
            ("text", .string(reaction.text)),
            ("user_key", reaction.user.key.map(JSONValue.string)),
            ("user_former", reaction.user.former.map { JSONValue($0) }),
            ("at", JSONValue(reaction.at)),
            ("removed_at", reaction.removedAt.map { JSONValue($0) }),
            ("own_id", reaction.ownID.map(JSONValue.string)),
        ]
        self = .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
    }

    private init(_ file: ExactMessage.File) {
        self = .object([
            "path": .string(file.path), "bytes": file.bytes.map(JSONValue.number) ?? .null,
            "sha256": JSONValue(file.sha256), "state": .string(file.state),
        ])
    }
}
