import Bytes
package import ChatModel
import LogFormats
package import Rendering

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

    package func render(_ item: ExportItem) -> String {
        var bytes: [UInt8] = []
        write(item, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes a message. Leaves out gaps, which are in the manifest.
    package func write(_ item: ExportItem, to bytes: inout [UInt8]) {
        guard case .message(let message, let exact) = item else { return }
        // An import finds the bridge by the sender's key.
        var written = message.asWritten
        // The records have the pictures. Here they would change without the message.
        written.sender?.picture = nil
        // The further facts have the key, on every network.
        if exact != nil { written.sender?.key = nil }
        JSONBytes.append(to: &bytes) { line in
            line.add(written)
            if let exact { exact.addMembers(to: &line) }
        }
        bytes.append(Byte.lineFeed)
    }

    package func end(part: Int, hasMore: Bool) -> String { "" }
}

extension ExactMessage {
    /// Adds the further keys of a full export; leaves out null ones.
    fileprivate func addMembers(to line: inout JSONBytes) {
        if let sourceTime { line.add("source_time", sourceTime) }
        line.add("room_key", roomKey)
        line.add("room_kind", roomKind.rawValue)
        if let key = sender?.key { line.add("sender_key", key) }
        if let former = sender?.former { line.add("sender_former", former) }
        line.add("sender_is_self", senderIsSelf)
        line.add("versions", versions)
        line.add("reaction_list", reactions)
        line.add("files", files)
    }
}

extension ImportedMessage.Version: JSONDescribed {
    package func addMembers(to object: inout some JSONObject) {
        object.add("at", at)
        object.add("body", body)
    }
}

extension UserIdentity.Former: JSONDescribed {
    package func addMembers(to object: inout some JSONObject) {
        object.add("name", name)
        object.add("first_seen", firstSeen)
    }
}

extension ExactMessage.Reaction: JSONDescribed {
    /// Leaves out null members.
    package func addMembers(to object: inout some JSONObject) {
        object.add("text", text)
        if let key = user.key { object.add("user_key", key) }
        if let former = user.former { object.add("user_former", former) }
        object.add("at", at)
        if let removedAt { object.add("removed_at", removedAt) }
        if let ownID { object.add("own_id", ownID) }
    }
}

extension ExactMessage.File: JSONDescribed {
    package func addMembers(to object: inout some JSONObject) {
        object.add("path", path)
        object.add("bytes", bytes)
        object.add("sha256", sha256)
        object.add("state", state)
    }
}
