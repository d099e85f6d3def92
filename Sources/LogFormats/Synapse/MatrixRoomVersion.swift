import FoundationEssentials

/// The version of a room's rules. In rooms of version 3 and later, servers send events to each other without ids, and derive an
/// event's id from those parts of it that a removal keeps (server-server API v1.19, "Reference hashes"; room versions 1 to 12).
struct MatrixRoomVersion: Hashable {
    /// 1 to 12. A later version counts as 12.
    let number: Int

    init(number: Int) { self.number = number }

    /// - Parameter name: The version's name, such as `11`; nil for the first one. The name of a proposal ends with the version that
    ///   it changes (`org.matrix.msc3757.11`).
    init(name: String?) {
        number = name.map { Int($0) ?? $0.split(separator: ".").last.flatMap { Int($0) } ?? 12 } ?? 1
    }

    /// The keys of an event that a removal keeps, and its content's kept keys by the event's type.
    private static let keys: Set = [
        "auth_events", "content", "depth", "hashes", "origin_server_ts", "prev_events", "room_id", "sender",
        "state_key",
        "type",
    ]
    /// The further keys before version 11.
    private static let formerKeys: Set = ["membership", "origin", "prev_state"]

    /// Returns the keys of a content that a removal keeps; nil for all.
    private func contentKeys(of type: String) -> Set<String>? {
        switch type {
        case "m.room.member":
            let signed: Set<String> = number >= 11 ? ["third_party_invite"] : []
            return signed.union(number >= 9 ? ["membership", "join_authorised_via_users_server"] : ["membership"])
        case "m.room.create": return number >= 11 ? nil : ["creator"]
        case "m.room.join_rules": return number >= 8 ? ["join_rule", "allow"] : ["join_rule"]
        case "m.room.power_levels":
            let kept: Set = [
                "users", "users_default", "events", "events_default", "state_default", "ban", "kick", "redact",
            ]
            return number >= 11 ? kept.union(["invite"]) : kept
        case "m.room.aliases": return number <= 5 ? ["aliases"] : []
        case "m.room.history_visibility": return ["history_visibility"]
        case "m.room.redaction": return number >= 11 ? ["redacts"] : []
        default: return []
        }
    }

    /// Returns an event's id: the one that it has, or else the one that follows from its parts.
    func id(of event: JSONValue) throws(UnreadablePiece) -> String {
        if let id = try event.scalar("event_id")?.id { return id }
        let type = try event.required("type").requiredText()
        var members: [(key: String, value: [UInt8])] = []
        for (key, value) in event.members {
            guard Self.keys.contains(key) || number < 11 && Self.formerKeys.contains(key) else { continue }
            members.append((key, try key == "content" ? content(value, of: type) : CanonicalJSON.value(value)))
        }
        let hash = Data(SHA256.digest(CanonicalJSON.object(members))).base64EncodedString()
        let text = String(hash.prefix { $0 != "=" })
        // Version 3 has the alphabet of base64 that addresses can't contain.
        return "$" + (number == 3 ? text : text.replacing("+", with: "-").replacing("/", with: "_"))
    }

    private func content(_ content: JSONValue, of type: String) throws(UnreadablePiece) -> [UInt8] {
        let kept = contentKeys(of: type)
        var members: [(key: String, value: [UInt8])] = []
        for (key, value) in content.members where kept?.contains(key) ?? true {
            if type == "m.room.member", key == "third_party_invite" {
                guard let signed = value["signed"] else { continue }
                members.append((key, CanonicalJSON.object([("signed", try CanonicalJSON.value(signed))])))
            } else {
                members.append((key, try CanonicalJSON.value(value)))
            }
        }
        return CanonicalJSON.object(members)
    }
}
