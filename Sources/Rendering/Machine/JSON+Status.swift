package import ChatModel

extension AccountStatus: JSONRepresentable {
    package var jsonValue: JSONValue {
        .object([
            "account": .string(account),
            "network": .string(network),
            "state": .string(state.rawValue),
            "since": JSONValue(since),
            "last_sign_of_life": JSONValue(lastSignOfLife),
            "last_message": JSONValue(lastMessage),
            "messages": .number(messages),
            "open_gaps": .number(openGaps),
            "failures": .number(failures),
            "last_error": JSONValue(lastError),
            "next_try": JSONValue(nextTry),
            "last_byte": JSONValue(lastByte),
            "last_event": JSONValue(lastEvent),
            "last_commit": JSONValue(lastCommit),
            "gap_seconds": JSONValue(gapSeconds),
            "file_bytes": JSONValue(fileBytes),
            "wal_bytes": JSONValue(walBytes),
            "counted_since": JSONValue(countedSince),
            "reconnects": JSONValue(reconnects),
            "received_bytes": JSONValue(receivedBytes),
            "received": receivedValue,
            "commits": commitsValue,
            "troubled_rooms": JSONValue(troubledRooms),
            "backfill": backfillValue,
            "shared": sharedValue,
            "retention": .object([
                "applied_at": JSONValue(retention?.appliedAt),
                "waiting": .array((retention?.waiting ?? []).map(JSONValue.string)),
            ]),
            "configured": isConfigured.map(JSONValue.bool) ?? .null,
            "tls_until": JSONValue(tlsUntil),
        ])
    }

    private var sharedValue: JSONValue {
        .object([
            "changes_left": JSONValue(shared?.left), "caught_up_at": JSONValue(shared?.caughtUpAt),
            "error": JSONValue(shared?.error),
        ])
    }

    private var backfillValue: JSONValue {
        .object([
            "rooms": .number(Int64(backfill?.rooms ?? 0)), "room": JSONValue(backfill?.room),
            "messages": JSONValue(backfill.map { Int64($0.messages) }), "reached": JSONValue(backfill?.reached),
        ])
    }

    /// Every kind, so that CSV has all columns even if nothing was counted.
    private var receivedValue: JSONValue {
        .object(
            MessageKind.allCases.map { kind in
                JSONValue.Member(key: kind.rawValue, value: JSONValue(received.map { $0[kind.rawValue] ?? 0 }))
            })
    }

    private var commitsValue: JSONValue {
        .object(
            CommitTimes.keys.enumerated().map { index, key in
                JSONValue.Member(key: key, value: JSONValue(commits?.values[index]))
            })
    }
}
