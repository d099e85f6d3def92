package import ChatModel
package import Rendering

/// The outcome of one file of an import, or of one export of several files.
package struct ImportOutcome: Sendable, Hashable {
    package enum State: String, Sendable {
        case imported
        /// The file was found in a folder, and its format is unknown; or it is empty, or has a
        /// program's own messages.
        case skipped
        /// The file could not be read, or not to its end.
        case failed
    }

    /// The path for people, as in the report.
    package var path: String
    package var state: State
    /// The reason for which the file was skipped or failed; nil if it was imported.
    package var reason: String?
    /// The name of the format; nil if it is unknown.
    package var format: String?
    /// The rooms of the messages, at most ``maximumRooms``, by name.
    package var rooms: [String] = []
    /// The lines read; for exports in JSON, the messages.
    package var lines = 0
    package var tally = ImportTally()
    /// The number of messages that could not be decoded.
    package var notUTF8 = 0
    /// The encoding, or that of the lines that are not UTF-8; nil for UTF-8.
    package var encoding: String?
    /// The reason for which the encoding is uncertain; nil if it is certain.
    package var encodingDoubt: String?

    /// The limit of rooms that are named. An export of an account may have thousands.
    package static let maximumRooms = 100

    /// The keys of ``json(account:)``, in order.
    package static let keys = [
        "path", "state", "reason", "format", "account", "rooms", "lines", "new", "changed", "known", "expired",
        "invalid", "not_utf8", "records", "new_records", "encoding", "encoding_doubt",
    ]

    /// Returns the object of the machine formats.
    ///
    /// - Parameter account: The account's name; nil if the import ended before there was one.
    package func json(account: String?) -> JSONValue {
        JSONValue.object(
            [
                .init(key: "path", value: .string(path)),
                .init(key: "state", value: .string(state.rawValue)),
                .init(key: "reason", value: JSONValue(reason)),
                .init(key: "format", value: JSONValue(format)),
                .init(key: "account", value: JSONValue(account)),
                .init(key: "rooms", value: .array(rooms.map(JSONValue.string))),
                .init(key: "lines", value: .number(Int64(lines))),
            ] + tally.json(notUTF8: notUTF8) + [
                .init(key: "encoding", value: JSONValue(encoding)),
                .init(key: "encoding_doubt", value: JSONValue(encodingDoubt)),
            ])
    }
}

extension ImportTally {
    /// Returns the counts as members of an object.
    func json(notUTF8: Int) -> [JSONValue.Member] {
        [
            .init(key: "new", value: .number(Int64(new))),
            .init(key: "changed", value: .number(Int64(changed))),
            .init(key: "known", value: .number(Int64(known))),
            .init(key: "expired", value: .number(Int64(expired))),
            .init(key: "invalid", value: .number(Int64(failed))),
            .init(key: "not_utf8", value: .number(Int64(notUTF8))),
            .init(key: "records", value: .number(Int64(records))),
            .init(key: "new_records", value: .number(Int64(newRecords))),
        ]
    }
}
