package import ChatModel

/// Returns the ranges of a body that match a search, in order; no two overlap.
package typealias BodyRanges = @Sendable (_ body: String) -> [Range<String.Index>]

/// The values of the machine formats. `docs/json.md` documents every key.
extension JSONValue {
    package init(_ id: MessageID?) {
        self.init(id?.description)
    }

    package init(_ time: Timestamp?) {
        self.init(time?.description)
    }

    /// - Parameters:
    ///   - groups: The groups of a search's hits; their messages follow each other.
    ///   - ranges: Returns the ranges of a body that match the search; nil for no search.
    package init(_ page: Page, groups: [HitGroup]? = nil, ranges: BodyRanges? = nil) {
        let messages =
            groups?.enumerated().flatMap { index, group in
                group.messages.map { JSONValue($0, in: group, number: index + 1, ranges: ranges) }
            } ?? page.messages.map { JSONValue($0, ranges: ranges) }
        self = .object([
            "messages": .array(messages),
            "older": JSONValue(page.older),
            "newer": JSONValue(page.newer),
            "gaps": .array(page.gaps.map { JSONValue($0) }),
            "left_out": .array(page.skipped.map { JSONValue($0) }),
            "day": page.day.map { JSONValue($0) } ?? .null,
        ])
    }

    private init(_ day: Page.Day) {
        self = .object([
            "day": .string(day.day.name),
            "previous": JSONValue(day.previous?.name),
            "next": JSONValue(day.next?.name),
            "from": JSONValue(day.day.span.lowerBound),
            "to": JSONValue(day.day.span.upperBound),
        ])
    }

    package init(_ account: SkippedAccount) {
        self = .object([
            "account": JSONValue(account.account),
            "reason": .string(account.reason),
            "detail": .string(account.detail),
        ])
    }

    /// The message with `hit`, with `group` as the group's number, and with `matches` for a search.
    package init(_ message: Message, in group: HitGroup, number: Int, ranges: BodyRanges? = nil) {
        let isHit = group.hits.contains(message.id)
        let members = [
            Member(key: "hit", value: .bool(isHit)), Member(key: "group", value: .number(Int64(number))),
        ]
        self = .object(
            JSONValue(message).members + members + (ranges.map { [Self.matches(message, isHit ? $0 : nil)] } ?? []))
    }

    /// The message with `matches` for a search.
    package init(_ message: Message, ranges: BodyRanges?) {
        let value = JSONValue(message)
        self = ranges.map { .object(value.members + [Self.matches(message, $0)]) } ?? value
    }

    /// Returns `matches`: the ranges of the body as pairs of offsets in code points, the end excluded.
    private static func matches(_ message: Message, _ ranges: BodyRanges?) -> Member {
        let body = message.body ?? ""
        var (place, offset) = (body.startIndex, 0)
        func reach(_ next: String.Index) -> JSONValue {
            offset += body.unicodeScalars.distance(from: place, to: next)
            place = next
            return .number(Int64(offset))
        }
        let pairs = ranges?(body).map { JSONValue.array([reach($0.lowerBound), reach($0.upperBound)]) }
        return Member(key: "matches", value: .array(pairs ?? []))
    }

    /// `via` is there only for a message that a bridge brought.
    package init(_ message: Message) {
        let via = message.via.map { via in
            Member(key: "via", value: .object(["name": .string(via.bot), "prefix": .string(via.prefix)]))
        }
        let members: [Member] = [
            Member(key: "id", value: JSONValue(message.id)),
            Member(key: "account", value: .string(message.account)),
            Member(key: "network", value: .string(message.network)),
            Member(key: "workspace", value: JSONValue(message.workspace)),
            Member(key: "room", value: .string(message.room)),
            Member(key: "kind", value: .string(message.kind.rawValue)),
            Member(key: "sender", value: JSONValue(message.sender)),
            Member(key: "body", value: JSONValue(message.body)),
            Member(key: "remote_id", value: JSONValue(message.remoteID)),
            Member(key: "received_at", value: JSONValue(message.receivedAt)),
            Member(key: "edited_at", value: JSONValue(message.editedAt)),
            Member(key: "deleted_at", value: JSONValue(message.deletedAt)),
            Member(key: "reply_to", value: JSONValue(message.reply?.id)),
            Member(key: "attachments", value: .array(message.attachments.map { JSONValue($0) })),
            Member(key: "flags", value: .array(message.flags.names.map(JSONValue.string))),
            Member(key: "reply_to_remote_id", value: JSONValue(message.reply?.remoteID)),
            Member(key: "reactions", value: .array(message.reactions.map { JSONValue($0) })),
        ]
        self = .object(members + (via.map { [$0] } ?? []))
    }

    private init(_ reaction: Message.Reaction) {
        self = .object([
            "text": .string(reaction.text),
            "count": .number(Int64(reaction.by.count)),
            "by": .array(reaction.by.map(JSONValue.string)),
        ])
    }

    package init(_ attachment: Attachment) {
        self = .object([
            "path": .string(attachment.path),
            "name": .string(attachment.name),
            "kind": .string(attachment.kind.rawValue),
            "bytes": attachment.size.map(JSONValue.number) ?? .null,
            "sha256": JSONValue(attachment.sha256),
            "state": .string(attachment.state.rawValue),
        ])
    }

    private init(_ sender: Message.Sender?) {
        self =
            sender.map {
                .object(
                    [
                        Member(key: "id", value: .number($0.id)), Member(key: "name", value: .string($0.name)),
                        Member(key: "is_self", value: .bool($0.isSelf)),
                    ] + ($0.picture.map { [Member(key: CSV.picture, value: JSONValue($0))] } ?? []))
            } ?? .null
    }

    package init(_ picture: Picture) {
        self = .object([
            "path": .string(picture.file.path),
            "sha256": JSONValue(picture.file.sha256),
            "state": .string(picture.file.state.rawValue),
        ])
    }

    package init(_ gap: Gap) {
        self = .object([
            "account": .string(gap.account),
            "room": .string(gap.room),
            "from": JSONValue(gap.from),
            "to": JSONValue(gap.to),
            "state": .string(gap.state.rawValue),
            "reason": JSONValue(gap.reason),
            "next_try": JSONValue(gap.missing?.nextTry),
            "unfilled": JSONValue(gap.missing?.unfilled),
            "detail": JSONValue(GapText.detail(gap)),
            "imported": .array(
                gap.imported.map { .object(["from": JSONValue($0.from), "to": JSONValue($0.to)]) }),
            "configured": gap.isConfigured.map(JSONValue.bool) ?? .null,
            "purged": gap.purge.map { purge in
                .object([
                    "messages": .number(purge.count), "at": JSONValue(purge.at), "rule": .string(purge.rule.text),
                ])
            } ?? .null,
            "replayed": .number(gap.missing?.replayed.messages ?? 0),
            "has_more_replayed": .bool(gap.missing?.replayed.hasMore ?? false),
        ])
    }

    package init(_ room: Room) {
        self = .object([
            "id": .number(room.id),
            "account": .string(room.account),
            "network": .string(room.network),
            "workspace": JSONValue(room.workspace),
            "name": .string(room.name),
            "kind": .string(room.kind.rawValue),
            "messages": .number(room.messages),
            "first_message": JSONValue(room.firstMessage),
            "last_message": JSONValue(room.lastMessage),
            "unread": JSONValue(room.unread?.count),
            "has_more_unread": room.unread.map { .bool($0.hasMore) } ?? .null,
            "covered_from": JSONValue(room.coveredFrom),
            "left_at": JSONValue(room.leftAt),
            "gone_at": JSONValue(room.goneAt),
            "trouble": JSONValue(room.trouble?.reason.rawValue),
            "trouble_detail": JSONValue(room.trouble?.detail),
            "trouble_since": JSONValue(room.trouble?.since),
            "next_try": JSONValue(room.trouble?.nextTry),
            "last_said": JSONValue(room.lastSaid?.id),
            "last_sender": JSONValue(room.lastSaid?.sender),
            "last_body": JSONValue(room.lastSaid?.body),
            "encrypted": JSONValue(room.encrypted),
            "topic": JSONValue(room.topic),
            "description": JSONValue(room.description),
            "owner": JSONValue(room.owner),
            "picture": JSONValue(room.picture?.file.path),
            "picture_sha256": JSONValue(room.picture?.file.sha256),
            "workspace_picture": JSONValue(room.workspacePicture?.file.path),
            "workspace_picture_sha256": JSONValue(room.workspacePicture?.file.sha256),
        ])
    }

    package init(_ hits: HitCount) {
        self = .object([
            "account": JSONValue(hits.account),
            "name": JSONValue(hits.name),
            "count": .number(hits.count),
        ])
    }

    package init(_ room: UnreadRoom) {
        self = .object([
            "account": .string(room.account),
            "room": .string(room.room),
            "room_id": .number(room.roomID),
            "unread": .number(room.unread),
            "has_more": .bool(room.hasMore),
            "late": .number(room.late),
            "first_unread": JSONValue(room.firstUnread),
            "first_late": JSONValue(room.firstLate),
            "read_through": JSONValue(room.readThrough),
            "marked_at": JSONValue(room.markedAt),
        ])
    }

    package init(_ status: AccountStatus) {
        self = .object([
            "account": .string(status.account),
            "network": .string(status.network),
            "state": .string(status.state.rawValue),
            "since": JSONValue(status.since),
            "last_sign_of_life": JSONValue(status.lastSignOfLife),
            "last_message": JSONValue(status.lastMessage),
            "messages": .number(status.messages),
            "open_gaps": .number(status.openGaps),
            "failures": .number(status.failures),
            "last_error": JSONValue(status.lastError),
            "next_try": JSONValue(status.nextTry),
            "last_byte": JSONValue(status.lastByte),
            "last_event": JSONValue(status.lastEvent),
            "last_commit": JSONValue(status.lastCommit),
            "gap_seconds": JSONValue(status.gapSeconds),
            "file_bytes": JSONValue(status.fileBytes),
            "wal_bytes": JSONValue(status.walBytes),
            "counted_since": JSONValue(status.countedSince),
            "reconnects": JSONValue(status.reconnects),
            "received_bytes": JSONValue(status.receivedBytes),
            "received": Self.received(status),
            "commits": Self.commits(status),
            "troubled_rooms": JSONValue(status.troubledRooms),
            "backfill": Self.backfill(status.backfill),
            "shared": Self.shared(status.shared),
            "retention": .object([
                "applied_at": JSONValue(status.retention?.appliedAt),
                "waiting": .array((status.retention?.waiting ?? []).map(JSONValue.string)),
            ]),
            "configured": status.isConfigured.map(JSONValue.bool) ?? .null,
            "tls_until": JSONValue(status.tlsUntil),
        ])
    }

    private static func shared(_ lag: ReplicationLag?) -> JSONValue {
        .object([
            "changes_left": JSONValue(lag?.left), "caught_up_at": JSONValue(lag?.caughtUpAt),
            "error": JSONValue(lag?.error),
        ])
    }

    private static func backfill(_ progress: BackfillProgress?) -> JSONValue {
        .object([
            "rooms": .number(Int64(progress?.rooms ?? 0)), "room": JSONValue(progress?.room),
            "messages": JSONValue(progress.map { Int64($0.messages) }), "reached": JSONValue(progress?.reached),
        ])
    }

    package init(_ number: Int64?) {
        self = number.map(JSONValue.number) ?? .null
    }

    /// Returns every kind, so that CSV has all columns even if nothing was counted.
    private static func received(_ status: AccountStatus) -> JSONValue {
        .object(
            MessageKind.allCases.map { kind in
                Member(key: kind.rawValue, value: JSONValue(status.received.map { $0[kind.rawValue] ?? 0 }))
            })
    }

    private static func commits(_ status: AccountStatus) -> JSONValue {
        .object(
            CommitTimes.keys.enumerated().map { index, key in
                Member(key: key, value: JSONValue(status.commits?.values[index]))
            })
    }
}
