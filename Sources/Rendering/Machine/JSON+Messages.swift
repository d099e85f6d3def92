package import ChatModel

/// Returns the ranges of a body that match a search, in order; no two overlap.
package typealias BodyRanges = @Sendable (_ body: String) -> [Range<String.Index>]

extension Page: JSONRepresentable {
    package var jsonValue: JSONValue { json() }

    /// - Parameters:
    ///   - groups: The groups of a search's hits; their messages follow each other.
    ///   - ranges: Returns the ranges of a body that match the search; nil for no search.
    package func json(groups: [HitGroup]? = nil, ranges: BodyRanges? = nil) -> JSONValue {
        let values =
            groups?.enumerated().flatMap { index, group in
                group.messages.map { $0.json(in: group, number: index + 1, ranges: ranges) }
            } ?? messages.map { $0.json(ranges: ranges) }
        return .object([
            "messages": .array(values),
            "older": JSONValue(older),
            "newer": JSONValue(newer),
            "gaps": .array(gaps.map { JSONValue($0) }),
            "left_out": .array(skipped.map { JSONValue($0) }),
            "day": day?.jsonValue ?? .null,
        ])
    }
}

extension Page.Day {
    fileprivate var jsonValue: JSONValue {
        .object([
            "day": .string(day.name),
            "previous": JSONValue(previous?.name),
            "next": JSONValue(next?.name),
            "from": JSONValue(day.span.lowerBound),
            "to": JSONValue(day.span.upperBound),
        ])
    }
}

extension SkippedAccount: JSONRepresentable {
    package var jsonValue: JSONValue {
        .object([
            "account": JSONValue(account),
            "reason": .string(reason),
            "detail": .string(detail),
        ])
    }
}

extension Message: JSONDescribed {
    /// Adds `via` only for a message that a bridge brought.
    package func addMembers(to object: inout some JSONObject) {
        object.add("id", id.time)
        object.add("account", account)
        object.add("network", network)
        object.add("workspace", workspace)
        object.add("room", room)
        object.add("kind", kind.rawValue)
        object.add("sender", sender)
        object.add("body", body)
        object.add("remote_id", remoteID)
        object.add("received_at", receivedAt)
        object.add("edited_at", editedAt)
        object.add("deleted_at", deletedAt)
        object.add("reply_to", reply?.id?.time)
        object.add("attachments", attachments)
        object.add("flags", flags.names)
        object.add("reply_to_remote_id", reply?.remoteID)
        object.add("reactions", reactions)
        if let via { object.add("via", via) }
    }

    /// A message without a sender and a text, which has the same keys as any other.
    static let blank = Message(
        id: MessageID(microseconds: 0), account: "", network: "", roomID: 0, room: "", kind: .message, sender: nil,
        body: nil, remoteID: nil, receivedAt: Timestamp(microseconds: 0), sourceTime: nil, flags: [])

    /// The message with `hit`, with `group` as the group's number, and with `matches` for a search.
    package func json(in group: HitGroup, number: Int, ranges: BodyRanges? = nil) -> JSONValue {
        let isHit = group.hits.contains(id)
        let place: [JSONValue.Member] = [
            .init(key: "hit", value: .bool(isHit)), .init(key: "group", value: .number(Int64(number))),
        ]
        return .object(jsonValue.members + place + (ranges.map { [matches(isHit ? $0 : nil)] } ?? []))
    }

    /// The message with `matches` for a search.
    package func json(ranges: BodyRanges?) -> JSONValue {
        ranges.map { .object(jsonValue.members + [matches($0)]) } ?? jsonValue
    }

    /// Returns `matches`: the ranges of the body as pairs of offsets in code points, the end excluded.
    private func matches(_ ranges: BodyRanges?) -> JSONValue.Member {
        let body = body ?? ""
        var (place, offset) = (body.startIndex, 0)
        func reach(_ next: String.Index) -> JSONValue {
            offset += body.unicodeScalars.distance(from: place, to: next)
            place = next
            return .number(Int64(offset))
        }
        let pairs = ranges?(body).map { JSONValue.array([reach($0.lowerBound), reach($0.upperBound)]) }
        return JSONValue.Member(key: "matches", value: .array(pairs ?? []))
    }
}

extension Message.Via: JSONDescribed {
    package func addMembers(to object: inout some JSONObject) {
        object.add("name", bot)
        object.add("prefix", prefix)
    }
}

extension Message.Reaction: JSONDescribed {
    package func addMembers(to object: inout some JSONObject) {
        object.add("text", text)
        object.add("count", Int64(by.count))
        object.add("by", by)
    }
}

extension Message.Sender: JSONDescribed {
    /// Adds ``CSV/personID`` and ``CSV/picture`` only for a sender who has one.
    package func addMembers(to object: inout some JSONObject) {
        object.add("id", id)
        object.add("name", name)
        object.add("is_self", isSelf)
        if let key { object.add(CSV.personID, key) }
        if let picture { object.add(CSV.picture, picture) }
    }
}

extension Attachment: JSONDescribed {
    package func addMembers(to object: inout some JSONObject) {
        object.add("path", path)
        object.add("name", name)
        object.add("kind", kind.rawValue)
        object.add("bytes", size)
        object.add("sha256", sha256)
        object.add("state", state.rawValue)
    }
}

extension Picture: JSONDescribed {
    package func addMembers(to object: inout some JSONObject) {
        object.add("path", file.path)
        object.add("sha256", file.sha256)
        object.add("state", file.state.rawValue)
    }
}
