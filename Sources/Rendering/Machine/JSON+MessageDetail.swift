package import ChatModel
import FoundationEssentials

extension MessageDetail: JSONRepresentable {
    /// The message's own keys, followed by those that `show` adds.
    package var jsonValue: JSONValue {
        var members = JSONValue(message).members
        members += [
            .init(key: "source_time", value: JSONValue(message.sourceTime)),
            .init(key: "room_now", value: .string(roomNow)),
            .init(key: "sender_now", value: JSONValue(senderNow)),
            .init(key: "versions", value: .array(versions.map(\.jsonValue))),
        ]
        if areVersionsCut { members.append(.init(key: "versions_cut", value: .bool(true))) }
        members += [
            .init(key: "raw", value: JSONValue(raw)),
            .init(key: "raw_missing", value: JSONValue(raw.absence?.rawValue)),
            .init(key: "session", value: JSONValue(session)),
            .init(key: "coverage", value: JSONValue(coverage)),
            .init(key: "deleted_by", value: JSONValue(retraction?.by)),
            .init(key: "deleted_because", value: JSONValue(retraction?.reason)),
            .init(key: "picture_now", value: JSONValue(pictureNow?.file.path)),
            .init(key: "picture_now_sha256", value: JSONValue(pictureNow?.file.sha256)),
        ]
        return .object(members)
    }
}

extension MessageDetail.Version {
    fileprivate var jsonValue: JSONValue {
        .object(["at": JSONValue(at), "body": JSONValue(body)])
    }
}

extension MessageDetail.Raw: JSONRepresentable {
    /// Null for a raw message that isn't kept; `text` is null for bytes that aren't UTF-8.
    package var jsonValue: JSONValue {
        guard case .bytes(let bytes, let length) = self else { return .null }
        return .object([
            "bytes": .number(length),
            "text": JSONValue(String(validating: bytes, as: UTF8.self)),
            "base64": .string(Data(bytes).base64EncodedString()),
        ])
    }
}

extension MessageDetail.Session: JSONRepresentable {
    package var jsonValue: JSONValue {
        .object([
            "id": .number(id.rawValue),
            "started_at": JSONValue(startedAt),
            "last_sign_of_life": JSONValue(lastSignOfLife),
            "ended_at": JSONValue(endedAt),
            "reason": JSONValue(reason),
            "detail": JSONValue(detail),
        ])
    }
}

extension MessageDetail.Coverage: JSONRepresentable {
    package var jsonValue: JSONValue {
        let state: String
        var (from, to): (Timestamp?, Timestamp?) = (nil, nil)
        var (gap, gapBefore, gapAfter): (Gap?, Gap?, Gap?) = (nil, nil, nil)
        switch place {
        case .covered(let start, let end, let before, let after):
            (state, from, to, gapBefore, gapAfter) = ("covered", start, end, before, after)
        case .inGap(let around): (state, gap) = ("gap", around)
        case .notArchived: state = "not_archived"
        }
        return .object([
            "state": .string(state),
            "from": JSONValue(from),
            "to": JSONValue(to),
            "gap": JSONValue(gap),
            "gap_before": JSONValue(gapBefore),
            "gap_after": JSONValue(gapAfter),
            "archived_since": JSONValue(archivedSince),
        ])
    }
}

extension MessageDetail.Raw {
    fileprivate var absence: Absence? {
        if case .missing(let absence) = self { absence } else { nil }
    }
}
