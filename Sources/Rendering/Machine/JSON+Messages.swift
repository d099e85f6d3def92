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

extension Message: JSONRepresentable {
    /// `via` is there only for a message that a bridge brought.
    package var jsonValue: JSONValue {
        let via = via.map { via in
            JSONValue.Member(key: "via", value: .object(["name": .string(via.bot), "prefix": .string(via.prefix)]))
        }
        let members: [JSONValue.Member] = [
            .init(key: "id", value: JSONValue(id)),
            .init(key: "account", value: .string(account)),
            .init(key: "network", value: .string(network)),
            .init(key: "workspace", value: JSONValue(workspace)),
            .init(key: "room", value: .string(room)),
            .init(key: "kind", value: .string(kind.rawValue)),
            .init(key: "sender", value: sender?.jsonValue ?? .null),
            .init(key: "body", value: JSONValue(body)),
            .init(key: "remote_id", value: JSONValue(remoteID)),
            .init(key: "received_at", value: JSONValue(receivedAt)),
            .init(key: "edited_at", value: JSONValue(editedAt)),
            .init(key: "deleted_at", value: JSONValue(deletedAt)),
            .init(key: "reply_to", value: JSONValue(reply?.id)),
            .init(key: "attachments", value: .array(attachments.map { JSONValue($0) })),
            .init(key: "flags", value: .array(flags.names.map(JSONValue.string))),
            .init(key: "reply_to_remote_id", value: JSONValue(reply?.remoteID)),
            .init(key: "reactions", value: .array(reactions.map(\.jsonValue))),
        ]
        return .object(members + (via.map { [$0] } ?? []))
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

extension Message.Reaction {
    fileprivate var jsonValue: JSONValue {
        .object([
            "text": .string(text),
            "count": .number(Int64(by.count)),
            "by": .array(by.map(JSONValue.string)),
        ])
    }
}

extension Message.Sender {
    fileprivate var jsonValue: JSONValue {
        let members: [JSONValue.Member] = [
            .init(key: "id", value: .number(id)), .init(key: "name", value: .string(name)),
            .init(key: "is_self", value: .bool(isSelf)),
        ]
        return .object(members + (picture.map { [.init(key: CSV.picture, value: JSONValue($0))] } ?? []))
    }
}

extension Attachment: JSONRepresentable {
    package var jsonValue: JSONValue {
        .object([
            "path": .string(path),
            "name": .string(name),
            "kind": .string(kind.rawValue),
            "bytes": size.map(JSONValue.number) ?? .null,
            "sha256": JSONValue(sha256),
            "state": .string(state.rawValue),
        ])
    }
}

extension Picture: JSONRepresentable {
    package var jsonValue: JSONValue {
        .object([
            "path": .string(file.path),
            "sha256": JSONValue(file.sha256),
            "state": .string(file.state.rawValue),
        ])
    }
}
