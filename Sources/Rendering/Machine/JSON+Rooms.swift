package import ChatModel

extension Gap: JSONRepresentable {
    package var jsonValue: JSONValue {
        .object([
            "account": .string(account),
            "room": .string(room),
            "from": JSONValue(from),
            "to": JSONValue(to),
            "state": .string(state.rawValue),
            "reason": JSONValue(reason),
            "next_try": JSONValue(missing?.nextTry),
            "unfilled": JSONValue(missing?.unfilled),
            "detail": JSONValue(GapText.detail(self)),
            "imported": .array(
                imported.map { .object(["from": JSONValue($0.from), "to": JSONValue($0.to)]) }),
            "configured": isConfigured.map(JSONValue.bool) ?? .null,
            "purged": purge.map { purge in
                .object([
                    "messages": .number(purge.count), "at": JSONValue(purge.at), "rule": .string(purge.rule.text),
                ])
            } ?? .null,
            "replayed": .number(missing?.replayed.messages ?? 0),
            "has_more_replayed": .bool(missing?.replayed.hasMore ?? false),
        ])
    }
}

extension Room: JSONRepresentable {
    package var jsonValue: JSONValue {
        .object([
            "id": .number(id),
            "account": .string(account),
            "network": .string(network),
            "workspace": JSONValue(workspace),
            "name": .string(name),
            "kind": .string(kind.rawValue),
            "messages": .number(messages),
            "first_message": JSONValue(firstMessage),
            "last_message": JSONValue(lastMessage),
            "unread": JSONValue(unread?.count),
            "has_more_unread": unread.map { .bool($0.hasMore) } ?? .null,
            "covered_from": JSONValue(coveredFrom),
            "left_at": JSONValue(leftAt),
            "gone_at": JSONValue(goneAt),
            "trouble": JSONValue(trouble?.reason.rawValue),
            "trouble_detail": JSONValue(trouble?.detail),
            "trouble_since": JSONValue(trouble?.since),
            "next_try": JSONValue(trouble?.nextTry),
            "last_said": JSONValue(lastSaid?.id),
            "last_sender": JSONValue(lastSaid?.sender),
            "last_body": JSONValue(lastSaid?.body),
            "encrypted": JSONValue(encrypted),
            "topic": JSONValue(topic),
            "description": JSONValue(description),
            "owner": JSONValue(owner),
            "picture": JSONValue(picture?.file.path),
            "picture_sha256": JSONValue(picture?.file.sha256),
            "workspace_picture": JSONValue(workspacePicture?.file.path),
            "workspace_picture_sha256": JSONValue(workspacePicture?.file.sha256),
        ])
    }
}

extension HitCount: JSONRepresentable {
    package var jsonValue: JSONValue {
        .object([
            "account": JSONValue(account),
            "name": JSONValue(name),
            "count": .number(count),
        ])
    }
}

extension UnreadRoom: JSONRepresentable {
    package var jsonValue: JSONValue {
        .object([
            "account": .string(account),
            "room": .string(room),
            "room_id": .number(roomID),
            "unread": .number(unread),
            "has_more": .bool(hasMore),
            "late": .number(late),
            "first_unread": JSONValue(firstUnread),
            "first_late": JSONValue(firstLate),
            "read_through": JSONValue(readThrough),
            "marked_at": JSONValue(markedAt),
        ])
    }
}
