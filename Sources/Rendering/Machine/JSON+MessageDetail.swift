package import ChatModel
import FoundationEssentials

extension JSONValue {
    /// The message's own keys, followed by those that `show` adds.
    package init(_ detail: MessageDetail) {
        var members = JSONValue(detail.message).members
        members += [
            Member(key: "source_time", value: JSONValue(detail.message.sourceTime)),
            Member(key: "room_now", value: .string(detail.roomNow)),
            Member(key: "sender_now", value: JSONValue(detail.senderNow)),
            Member(key: "versions", value: .array(detail.versions.map { JSONValue($0) })),
        ]
        if detail.areVersionsCut { members.append(Member(key: "versions_cut", value: .bool(true))) }
        members += [
            Member(key: "raw", value: JSONValue(detail.raw)),
            Member(key: "raw_missing", value: JSONValue(detail.raw.absence?.rawValue)),
            Member(key: "session", value: detail.session.map { JSONValue($0) } ?? .null),
            Member(key: "coverage", value: JSONValue(detail.coverage)),
            Member(key: "deleted_by", value: JSONValue(detail.retraction?.by)),
            Member(key: "deleted_because", value: JSONValue(detail.retraction?.reason)),
            Member(key: "picture_now", value: JSONValue(detail.pictureNow?.file.path)),
            Member(key: "picture_now_sha256", value: JSONValue(detail.pictureNow?.file.sha256)),
        ]
        self = .object(members)
    }

    /// The members of an object; empty for any other value.
    package var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    private init(_ version: MessageDetail.Version) {
        self = .object(["at": JSONValue(version.at), "body": JSONValue(version.body)])
    }

    /// Null for a raw message that isn't kept; `text` is null for bytes that aren't UTF-8.
    package init(_ raw: MessageDetail.Raw) {
        guard case .bytes(let bytes, let length) = raw else {
            self = .null
            return
        }
        self = .object([
            "bytes": .number(length),
            "text": JSONValue(String(validating: bytes, as: UTF8.self)),
            "base64": .string(Data(bytes).base64EncodedString()),
        ])
    }

    package init(_ session: MessageDetail.Session) {
        self = .object([
            "id": .number(session.id.rawValue),
            "started_at": JSONValue(session.startedAt),
            "last_sign_of_life": JSONValue(session.lastSignOfLife),
            "ended_at": JSONValue(session.endedAt),
            "reason": JSONValue(session.reason),
            "detail": JSONValue(session.detail),
        ])
    }

    package init(_ coverage: MessageDetail.Coverage) {
        let state: String
        var (from, to): (Timestamp?, Timestamp?) = (nil, nil)
        var (gap, gapBefore, gapAfter): (Gap?, Gap?, Gap?) = (nil, nil, nil)
        switch coverage.place {
        case .covered(let start, let end, let before, let after):
            (state, from, to, gapBefore, gapAfter) = ("covered", start, end, before, after)
        case .inGap(let around): (state, gap) = ("gap", around)
        case .notArchived: state = "not_archived"
        }
        self = .object([
            "state": .string(state),
            "from": JSONValue(from),
            "to": JSONValue(to),
            "gap": gap.map { JSONValue($0) } ?? .null,
            "gap_before": gapBefore.map { JSONValue($0) } ?? .null,
            "gap_after": gapAfter.map { JSONValue($0) } ?? .null,
            "archived_since": JSONValue(coverage.archivedSince),
        ])
    }
}

extension MessageDetail.Raw {
    fileprivate var absence: Absence? {
        if case .missing(let absence) = self { absence } else { nil }
    }
}
